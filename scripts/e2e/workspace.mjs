/** The repository that the run types in: a copy of `fixture/` under git, and a file with a secret that git ignores. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FIXTURE = fileURLToPath(new URL("fixture", import.meta.url));

export function createWorkspace() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "dhi-e2e-shop-")));
  cpSync(FIXTURE, dir, { recursive: true });
  writeFileSync(join(dir, ".gitignore"), ".env\n");
  writeFileSync(join(dir, ".env"), "PAYMENT_TOKEN=not-a-real-one\n");
  // As Windows writes it: what is accepted must not mix line ends.
  const crlf = readFileSync(join(dir, "shop", "invoices.py"), "utf8").replaceAll("\n", "\r\n");
  writeFileSync(join(dir, "shop", "exports.py"), crlf);
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=e2e", "-c", "user.email=e2e@example.com", ...args], {
      cwd: dir,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "shop");
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }) };
}
