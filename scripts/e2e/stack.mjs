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
 * @returns its address, and `stop`, which may be called twice
 * @throws with what it printed when it does not come up
 */
export async function startStack(...workspaces) {
  const home = mkdtempSync(join(tmpdir(), "dhi-e2e-home-"));
  const port = await freePort();
  const folders = workspaces.flatMap((workspace) => ["--workspace", workspace]);
  const args = [START, ...folders, "--port", String(port), "--engine", "instant"];
  const env = { ...process.env, DHI_HOME: home, EMBEDDER: "hash", DHI_TOKEN: "" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((done) => child.once("close", done));
  async function stop() {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
  try {
    await printed(child, "Dhi serves on");
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, stop };
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
