/** Runs git without the machine's own settings: they must not decide what is measured. */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

/** @returns what git printed */
export function git(dir: string, ...args: string[]): string {
  return execFileSync("git", args, { ...options(dir), encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Lets this process go on meanwhile. */
export async function gitBeside(dir: string, ...args: string[]): Promise<void> {
  await promisify(execFile)("git", args, options(dir));
}

const options = (cwd: string) => ({
  cwd,
  maxBuffer: 256 * 1024 * 1024,
  env: {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_AUTHOR_NAME: "bench",
    GIT_AUTHOR_EMAIL: "bench@example.com",
    GIT_COMMITTER_NAME: "bench",
    GIT_COMMITTER_EMAIL: "bench@example.com",
  },
});
