/** The real Chroma server, as npm carries it, on a free port. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closedPort } from "./fake-server.ts";

export interface ChromaServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** SIGKILL; the data stays. */
  kill(): Promise<void>;
}

/** @param dir where it keeps its data */
export async function startChroma(dir: string, port?: number): Promise<ChromaServer> {
  const at = port ?? (await closedPort());
  // `require` finds dist/cjs/chromadb.cjs.
  const cli = join(dirname(createRequire(import.meta.url).resolve("chromadb")), "..", "cli.mjs");
  const child = spawn(
    process.execPath,
    [cli, "run", "--path", dir, "--host", "127.0.0.1", "--port", String(at)],
    {
      stdio: "ignore",
      cwd: dir,
    },
  );
  const url = `http://127.0.0.1:${at}`;
  for (let i = 0; ; i++) {
    const ok = await fetch(`${url}/api/v2/heartbeat`)
      .then((r) => r.ok)
      .catch(() => false);
    if (ok) break;
    if (i > 300 || child.exitCode !== null) throw new Error(`Chroma did not start on ${url}`);
    await sleep(100);
  }
  const kill = () => killHard(child);
  return { url, port: at, kill, [Symbol.asyncDispose]: kill };
}

// Chroma from npm ignores SIGTERM and SIGINT (measured), so it is never asked nicely.
async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await gone;
}
