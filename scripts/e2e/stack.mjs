/** A Dhi of its own for one run: `npm start` on some workspaces, on a free port, with its state in a folder that goes again. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const START = fileURLToPath(new URL("../start.mjs", import.meta.url));

/** From a build of everything on a busy machine to the first completion. */
const START_MS = 300_000;

/**
 * @param settings environment variables, on top of those that every run has; `ENGINE` too
 * @returns its address; its `home`; `kill` and `start`, which bring it down and up again at that address with its index; and `stop`,
 *   which may be called twice and removes everything
 * @throws with what it printed when it does not come up
 */
export async function startStack(workspaces, settings = {}) {
  const home = mkdtempSync(join(tmpdir(), "dhi-e2e-home-"));
  const port = await freePort();
  const folders = workspaces.flatMap((workspace) => ["--workspace", workspace]);
  const args = [START, ...folders, "--port", String(port), "--engine", settings.ENGINE ?? "instant"];
  const env = { ...process.env, DHI_HOME: home, EMBEDDER: "hash", DHI_TOKEN: "", ...settings };
  let child;
  let ended = Promise.resolve();

  async function start() {
    // A check may have failed before it came to `kill`.
    if (isRunning()) return;
    child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    ended = new Promise((done) => child.once("close", done));
    await printed(child, "Dhi serves on");
  }
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  async function kill() {
    if (isRunning()) child.kill("SIGTERM");
    await ended;
  }
  async function stop() {
    await kill();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
  await start().catch(async (error) => {
    await stop();
    throw error;
  });
  return { url: `http://127.0.0.1:${port}`, home, start, kill, stop };
}

function printed(child, sentence) {
  return new Promise((done, fail) => {
    let output = "";
    const timer = setTimeout(() => fail(new Error(`Dhi did not start in time:\n${output}`)), START_MS);
    const read = (text) => {
      output += text;
      if (output.includes(sentence)) {
        clearTimeout(timer);
        done();
      }
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", read);
    child.once("close", (code) => {
      clearTimeout(timer);
      fail(new Error(`Dhi ended with ${code}:\n${output}`));
    });
  });
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
