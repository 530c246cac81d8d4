/**
 * Rules in the syntax of `.gitignore`, from every file of one name in a tree. What a pattern means is the `ignore`
 * library's to know. How files in several folders work together is git's way: a deeper one overrules those above it, and
 * nothing comes back from a folder that is left out.
 */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

export interface IgnoreRule {
  /** Where it stands, relative to the root. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** As it is written there. */
  readonly pattern: string;
}

export interface IgnoreRules {
  /**
   * @param path relative to the root, there or not
   * @returns the rule that leaves it out, or a folder above it; `undefined` when none does
   */
  find(path: string, isFolder: boolean): IgnoreRule | undefined;
}

/** Each file is read when a path beside or beneath it is asked for, and then remembered: make new rules for each look. */
export function readIgnoreRules(root: string, name: string): IgnoreRules {
  const byFolder = new Map<string, Ignore>();
  const rules: IgnoreRule[] = [];

  function rulesIn(folder: string): Ignore {
    const known = byFolder.get(folder);
    if (known) return known;
    const above = folder ? rulesIn(parentOf(folder)) : NO_RULES;
    const file = folder ? `${folder}/${name}` : name;
    const own = linesOf(join(root, file)).flatMap((line, at) => {
      const pattern = fromRoot(asBytes(folder), line);
      if (pattern === undefined) return [];
      const rule = { file, line: at + 1, pattern: Buffer.from(line, "latin1").toString() };
      const mark = String(rules.push(rule) - 1);
      return [{ pattern, mark }];
    });
    const all = own.length ? ignore({ ignoreCase: IGNORE_CASE }).add(above).add(own) : above;
    byFolder.set(folder, all);
    return all;
  }

  return {
    find(path, isFolder) {
      const applicable = rulesIn(parentOf(path));
      if (applicable === NO_RULES) return undefined;
      const { rule } = applicable.test(asBytes(isFolder ? `${path}/` : path));
      return rule?.mark === undefined ? undefined : rules[Number(rule.mark)];
    },
  };
}

const NO_RULES = ignore();

/** What git presets as `core.ignoreCase` where file names differ by more than their case. */
const IGNORE_CASE = process.platform === "darwin" || process.platform === "win32";

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** One character a byte, because that is what `?` and `[!a]` mean to git. */
const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

/** Like git it does not follow a symbolic link, which may lead out of the tree. */
function linesOf(file: string): string[] {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return [];
    return readFileSync(file, "latin1").replace(BYTE_ORDER_MARK, "").split("\n");
  } catch {
    return [];
  }
}

const BYTE_ORDER_MARK = /^\xEF\xBB\xBF/;

/** @returns the line as a pattern that means the same in a file at the root; `undefined` for what is no pattern */
function fromRoot(folder: string, line: string): string | undefined {
  if (line.startsWith("#")) return undefined;
  const negation = line.startsWith("!") ? "!" : "";
  const body = withoutTrailingSpaces(line.slice(negation.length).replace(/\r$/, ""));
  if (body === "" || body === "/") return undefined;
  if (folder === "") return negation + body;
  // A slash that is not the last character ties the pattern to its folder.
  const place = /\/(?!$)/.test(body) ? body.replace(/^\//, "") : `**/${body}`;
  return `${negation}/${folder.replaceAll(/[\\*?[\]]/g, "\\$&")}/${place}`;
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  let escapes = 0;
  while (line[end - escapes - 1] === "\\") escapes++;
  // An escaped space belongs to the name.
  return line.slice(0, end < line.length && escapes % 2 ? end + 1 : end);
}
