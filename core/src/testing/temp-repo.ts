/** Real temporary folders and git repositories. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TempRepo extends Disposable {
  readonly dir: string;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  /** Runs git there and returns what it printed. */
  git(...args: string[]): string;
  commit(message?: string): void;
}

export function tempDir(): { readonly dir: string } & Disposable {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "dhi-test-")));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }) };
}

/** @param files path → content; written, not committed */
export function tempRepo(files: Readonly<Record<string, string | Uint8Array>> = {}): TempRepo {
  const { dir, [Symbol.dispose]: dispose } = tempDir();
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: dir,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      // The machine's own git settings must not decide what a test sees.
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
        GIT_AUTHOR_NAME: "t",
        GIT_AUTHOR_EMAIL: "t@example.com",
        GIT_COMMITTER_NAME: "t",
        GIT_COMMITTER_EMAIL: "t@example.com",
      },
    });
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  git("init", "-q", "-b", "main");
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    dir,
    write,
    remove: (path) => rmSync(join(dir, path), { recursive: true, force: true }),
    git,
    commit(message = "change") {
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", message);
    },
    [Symbol.dispose]: dispose,
  };
}
