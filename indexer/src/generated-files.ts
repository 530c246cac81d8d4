/**
 * Which files of one repository its attributes call generated. Git is asked only where a rule file speaks of it, and once
 * per path until such a file changes, because asking for every file costs as much as listing them.
 */
import { readFileSync, statSync } from "node:fs";
import { GENERATED, type Git } from "./git.ts";

export interface GeneratedFiles {
  /** Call with each full listing. @param ruleFiles absolute paths of all files that hold attributes, there or not */
  setRuleFiles(ruleFiles: readonly string[]): void;
  /** Whether any rule file speaks of it: if not, there is nothing to ask. */
  mayBeAny(): boolean;
  /** @param paths as the repository says them */
  among(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createGeneratedFiles(git: Pick<Git, "generated">): GeneratedFiles {
  const known = new Map<string, boolean>();
  let stamp: string | undefined;
  let isSpokenOf = false;
  return {
    setRuleFiles(ruleFiles) {
      const now = ruleFiles.map(stampOfFile).join(" ");
      if (now === stamp) return;
      stamp = now;
      known.clear();
      isSpokenOf = ruleFiles.some(speaksOfIt);
    },
    mayBeAny: () => isSpokenOf,
    async among(paths) {
      if (!isSpokenOf) return NONE;
      const unknown = paths.filter((path) => !known.has(path));
      const generated = new Set(await git.generated(unknown));
      for (const path of unknown) known.set(path, generated.has(path));
      return new Set(paths.filter((path) => known.get(path)));
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

function stampOfFile(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${file} ${stat.ino} ${stat.ctimeMs} ${stat.size}` : file;
}

function speaksOfIt(file: string): boolean {
  try {
    return statSync(file).isFile() && readFileSync(file, "latin1").includes(GENERATED);
  } catch {
    return false;
  }
}
