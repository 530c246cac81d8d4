/** The parts of a prompt in the order and with the marks of a family. Knows nothing of budgets. */
import type { PromptPart } from "@dhi/core/protocol";
import type { Around, FimFormat, RepositoryFormat } from "./fim-format.ts";

export interface RenderedFile {
  readonly path: string;
  readonly text: string;
}

export interface RenderInput {
  readonly format: FimFormat;
  /** Starts a line comment in the open file's language. */
  readonly commentMark: string;
  readonly repoName?: string;
  /** The open file's; left out when it is not to be shown. */
  readonly path?: string;
  readonly files: readonly RenderedFile[];
  readonly prefix: string;
  readonly suffix: string;
}

export interface RenderedPart extends Pick<PromptPart, "kind"> {
  readonly text: string;
  readonly path?: string;
}

/** Parts without text are left out, except prefix and suffix. */
export function render(input: RenderInput): readonly RenderedPart[] {
  const { format } = input;
  const { before, inPrefix } = context(input);
  const opening: RenderedPart = { kind: "sentinel", text: format.opening ?? "" };
  const prefix: RenderedPart[] = [
    { kind: "sentinel", text: format.prefix },
    ...inPrefix,
    { kind: "prefix", text: input.prefix },
  ];
  const suffix: RenderedPart[] = [
    { kind: "sentinel", text: format.suffix },
    { kind: "suffix", text: input.suffix },
  ];
  const block = format.order === "PSM" ? [...prefix, ...suffix] : [...suffix, ...prefix];
  return [opening, ...before, ...block, { kind: "sentinel" as const, text: format.middle }].filter(
    ({ kind, text }) => text !== "" || kind === "prefix" || kind === "suffix",
  );
}

interface Context {
  readonly before: readonly RenderedPart[];
  readonly inPrefix: readonly RenderedPart[];
}

function context(input: RenderInput): Context {
  const { repository } = input.format;
  return repository === "comments" ? { before: [], inPrefix: asComments(input) } : asFiles(input, repository);
}

function asFiles({ repoName, path, files }: RenderInput, repository: RepositoryFormat): Context {
  const { otherFile, afterFile, currentFile } = repository;
  const repo: RenderedPart[] =
    repoName && repository.repoName ? [{ kind: "repo", text: around(repoName, repository.repoName) }] : [];
  const snippets = files.map(
    (file): RenderedPart => ({
      kind: "snippet",
      path: file.path,
      text: around(file.path, otherFile) + lineEnded(file.text) + afterFile,
    }),
  );
  const mark: RenderedPart[] = path ? [{ kind: "path", text: currentFile.mark }] : [];
  const pathLine: RenderedPart[] = path ? [{ kind: "path", path, text: around(path, currentFile.path) }] : [];

  const at = (place: "before" | "in-prefix") => [
    ...(repository.otherFiles === place ? snippets : []),
    ...(place === "before" ? mark : []),
    ...(currentFile.place === place ? pathLine : []),
  ];
  return { before: [...repo, ...at("before")], inPrefix: at("in-prefix") };
}

/** As RepoCoder and CrossCodeEval do it (arXiv 2303.12570, 2310.11248): every line commented, the path above. */
function asComments({ path, files, commentMark }: RenderInput): readonly RenderedPart[] {
  const comment = (text: string) =>
    text
      .split("\n")
      .map((line) => (line.trim() === "" ? commentMark + line : `${commentMark} ${line}`))
      .join("\n");
  const snippets = files.map(
    (file): RenderedPart => ({
      kind: "snippet",
      path: file.path,
      text: `${comment(`the below code fragment can be found in:\n${file.path}\n${withoutLineEnd(file.text)}`)}\n\n`,
    }),
  );
  return path ? [...snippets, { kind: "path", path, text: `${commentMark} ${path}\n` }] : snippets;
}

const around = (text: string, [before, after]: Around): string => before + text + after;
const lineEnded = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);
const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, "");
