/** Why a path is in the index or not: the rule and where it stands, not only its kind. Asks and reads, changes nothing. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { SkipReason } from "@dhi/core/chunk";
import { languageOf } from "@dhi/core/languages";
import type { ExplainResponse } from "@dhi/core/protocol";
import { decodeText } from "./decode-text.ts";
import type { IndexStore, KnownFile } from "./index-store.ts";
import { readSource } from "./read-source.ts";
import { type Skip, whyByName, whyByText } from "./skip-reason.ts";
import type { WorkTree } from "./work-tree.ts";

export interface ExplainDeps {
  readonly root: string;
  readonly tree: WorkTree;
  readonly store: Pick<IndexStore, "files" | "chunkCount" | "documentVersion">;
  readonly maxFileBytes: number;
}

export type Explanation = Omit<ExplainResponse, "path">;

/** @param path relative to the workspace, there or not; `""` is all of it */
export async function explain(path: string, deps: ExplainDeps): Promise<Explanation> {
  const known = deps.store.files([path]).filter((file) => file.blob !== null || file.skip !== null);
  const own = known.find((file) => file.path === path);
  const document = deps.store.documentVersion(path);
  const unsaved =
    document === undefined
      ? ""
      : `; an editor has it open unsaved (version ${document}), and that is what completions see`;
  if (own?.blob) return indexed(own, deps, unsaved);

  const stat = statOf(join(deps.root, path));
  if (stat?.isDirectory() && !own) return folder(path, known, deps);
  const skip = await whySkipped(path, stat, deps);
  if (skip) {
    const isNewInEditor = skip.reason === "missing" && document !== undefined;
    if (isNewInEditor) return { indexed: true, detail: skip.detail + unsaved };
    return { indexed: false, ...saidOf(skip), detail: skip.detail };
  }
  return {
    indexed: false,
    ...(own?.skip && { skipped: own.skip }),
    detail: `${own?.skip ? `it was left out as ${own.skip}` : "it is not in the index yet"}; the next sync looks at it${unsaved}`,
    hint: "Ask again in a moment; `GET /v1/status` shows how far the index is.",
  };
}

function indexed(file: KnownFile, { store }: ExplainDeps, unsaved: string): Explanation {
  const chunks = store.chunkCount(file);
  const parts = `${chunks} ${chunks === 1 ? "chunk" : "chunks"}`;
  const { language } = file;
  return {
    ...{ indexed: true, chunks, language },
    detail: `in the index: ${parts}, blob ${file.blob?.slice(0, 12)}, as ${language}${unsaved}`,
  };
}

async function folder(
  path: string,
  files: readonly KnownFile[],
  { tree }: ExplainDeps,
): Promise<Explanation> {
  const rule = path === "" ? undefined : await tree.whyIgnored(path);
  const skipped = files.flatMap((file) => file.skip ?? []);
  const count = files.length - skipped.length;
  if (count === 0 && rule !== undefined) {
    const skip: Skip = { reason: "ignored", detail: rule };
    return { indexed: false, ...saidOf(skip), detail: `a folder: ${rule}` };
  }
  const reasons = [...new Set(skipped)]
    .map((r) => `${skipped.filter((s) => s === r).length} ${r}`)
    .join(", ");
  return {
    indexed: count > 0,
    detail: `a folder: ${count} of its files ${count === 1 ? "is" : "are"} in the index${reasons && `, left out are ${reasons}`}`,
  };
}

/** @returns `undefined` when nothing keeps it out */
async function whySkipped(
  path: string,
  stat: Stats | undefined,
  deps: ExplainDeps,
): Promise<Skip | undefined> {
  const { tree, maxFileBytes } = deps;
  const rule = await tree.whyIgnored(path);
  if (rule !== undefined) return { reason: "ignored", detail: rule };
  const listed = (await tree.files([path])).find((file) => file.path === path);
  if (listed?.skip === "bad-name") return { reason: "bad-name", detail: "its name is not UTF-8" };
  // A path that is not there has a name all the same.
  if (!stat) return whyByName(path) ?? { reason: "missing", detail: "nothing lies at this path" };
  if (!stat.isFile()) return { reason: "not-a-file", detail: kindOf(path, stat, deps) };
  if (stat.size > maxFileBytes)
    return {
      reason: "too-large",
      detail: `${stat.size} bytes, over the limit of ${maxFileBytes} (MAX_FILE_BYTES)`,
    };
  const byName = whyByName(path);
  if (byName) return byName;
  if (listed?.skip === "generated")
    return { reason: "generated", detail: "a .gitattributes rule calls it linguist-generated" };
  return whyByContent(path, deps);
}

function whyByContent(path: string, { root, maxFileBytes }: ExplainDeps): Skip | undefined {
  const source = readSource(path, join(root, path), maxFileBytes);
  if (source === "unreadable")
    return { reason: source, detail: "it cannot be opened by the user who runs the indexer" };
  if (typeof source === "string") return { reason: source, detail: "it changed while it was looked at" };
  const text = decodeText(source.bytes);
  if (text === undefined) {
    const at = source.bytes.indexOf(0);
    const what =
      at === -1 ? "it is not text in UTF-8, UTF-16 or Latin-1" : `byte ${at} is NUL, so it is not text`;
    return { reason: "binary", detail: what };
  }
  return whyByText(text, languageOf(path).id);
}

function kindOf(path: string, stat: Stats, { root, tree }: ExplainDeps): string {
  if (stat.isSymbolicLink())
    return `a symbolic link to ${readlinkSync(join(root, path))}; what it leads to counts where it lies`;
  if (tree.isLinkedWorktree(path))
    return "a linked worktree of this repository, the same code on another branch; it can be a workspace of its own";
  if (stat.isDirectory())
    return "the folder of a submodule that is not checked out, or of an empty repository";
  return "a pipe, socket or device";
}

/** What to do about it, where something can be done. */
const HINTS: Partial<Readonly<Record<SkipReason, string>>> = {
  "too-large": "Raise MAX_FILE_BYTES to have it indexed.",
  unreadable: "Give that user the right to read it.",
  "bad-name": "Rename it to a name in UTF-8.",
};

function saidOf({ reason, detail }: Skip): Pick<Explanation, "skipped" | "hint"> {
  const isRule = detail.startsWith("ignored by ");
  const hint = isRule ? "Change that rule to have it indexed; it is noticed at once." : HINTS[reason];
  return { skipped: reason, ...(hint !== undefined && { hint }) };
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
