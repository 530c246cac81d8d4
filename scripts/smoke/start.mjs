/**
 * `npm start` as a person runs it, on a small repository and with a state folder of its own: the first completion, a
 * second start, signals, a killed process, and what it says when it cannot start. Exit status: 0 passed, 1 failed.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createChecks, runToEnd } from "../e2e/named-checks.mjs";
import { createWorkspace } from "../e2e/workspace.mjs";
import { freePort } from "./free-port.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** From installing on a busy machine to the first completion. */
const START_MS = 600_000;
const STOP_MS = 30_000;

const scratch = mkdtempSync(join(tmpdir(), "dhi-smoke-start-"));
const home = join(scratch, "home");
const runFile = join(home, "run.json");
const workspace = createWorkspace();
const port = await freePort();
const started = [];
const checks = createChecks();
await runToEnd(checks, run, cleanUp);

async function run() {
  const first = start();
  await checks.check("a fresh start prints a completion whose name another file defines", async () => {
    await first.until("Ctrl-C stops everything", START_MS);
    const [, after] = first.output().split("A completion in this workspace:");
    assert.match(after, /completed with total_with_tax, which shop\/pricing\.py:\d+ defines/);
    assert.match(after, /sources {2}shop\/\w+\.py:\d+-\d+/);
    assert.match(after, /timings {2}\d+(\.\d)? ms in all/);
    return after
      .split("\n")
      .find((line) => line.includes("timings"))
      ?.trim();
  });
  if (checks.failed()) return console.log(first.output());

  await checks.check("it serves", async () => assert.equal(await health(), 200));
  await checks.check("npx dhi explain answers, in this folder and with nothing else to build", () => {
    const { status, stdout, stderr } = spawnSync("npx", ["dhi", "explain", workspace.dir], {
      ...{ cwd: root, encoding: "utf8" },
      env: { ...process.env, DHI_URL: `http://127.0.0.1:${port}`, DHI_TOKEN: "" },
    });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /a folder: \d+ of its files are in the index/);
  });
  await checks.check("nothing of it lies in the workspace", async () => {
    assert.equal(existsSync(join(workspace.dir, ".dhi")), false);
  });
  await checks.check(
    "a second start on the same state folder is refused with the first one's pid",
    async () => {
      const output = await start({ port: await freePort() }).ended();
      assert.ok(
        output.includes(`another npm start (pid ${recorded().supervisor.pid}) already uses ${home}`),
        output,
      );
    },
  );
  await checks.check("a taken port is named, and the way out", async () => {
    const output = await start({ env: { DHI_HOME: join(scratch, "other") } }).ended();
    assert.match(output, new RegExp(`port ${port} is taken by another program; .* --port ${port + 1}`));
  });
  await checks.check("a server that dies is started again, with its log named", async () => {
    process.kill(recorded().services.server.pid, "SIGKILL");
    await first.until("server died (SIGKILL); its log is ", STOP_MS);
    await until(async () => (await health().catch(() => 0)) === 200, STOP_MS, "no server came back");
  });
  await checks.check("SIGTERM ends every process it started", () => endsEverything(first, "SIGTERM"));

  const second = start();
  await checks.check("a second start parses nothing again", async () => {
    await second.until("Ctrl-C stops everything", START_MS);
    assert.match(second.output(), / 0 files parsed now/);
    return second.output().match(/Index: .*/)?.[0];
  });
  await checks.check("a start after kill -9 ends what was left behind", async () => {
    const left = recorded();
    process.kill(left.supervisor.pid, "SIGKILL");
    await second.ended();
    const third = start();
    await third.until("Ctrl-C stops everything", START_MS);
    for (const [name, { pid }] of Object.entries(left.services)) {
      assert.ok(third.output().includes(`Ending ${name} (pid ${pid})`), third.output());
      assert.equal(isAlive(pid), false, `${name} (pid ${pid}) lives`);
    }
  });
  await checks.check("Ctrl-C ends every process it started", () => endsEverything(started.at(-1), "SIGINT"));

  await checks.check("a workspace that does not exist is named", async () => {
    const missing = join(scratch, "missing");
    const output = await start({ workspace: missing }).ended();
    assert.ok(output.includes(`${missing} does not exist; name a folder of code: --workspace DIR`), output);
  });
  await checks.check("a state folder that cannot be written is named", async () => {
    const file = join(scratch, "file");
    writeFileSync(file, "");
    const output = await start({ env: { DHI_HOME: join(file, "home") } }).ended();
    assert.match(output, /home cannot be written \(.*\); set DHI_HOME to a folder that can/);
  });
}

async function cleanUp() {
  for (const dhi of started) await dhi.stop("SIGTERM");
  // What a killed start had started lives on when the one that should end it fails.
  const left = existsSync(runFile) ? Object.values(recorded().services) : [];
  for (const { pid } of left) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  workspace.remove();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}

/** `npm start`, as typed in a terminal. */
function start(options = {}) {
  const args = ["start", "--silent", "--", "--workspace", options.workspace ?? workspace.dir];
  args.push("--port", String(options.port ?? port), "--engine", "instant");
  const env = { ...process.env, DHI_HOME: home, EMBEDDER: "hash", DHI_TOKEN: "", ...options.env };
  // A group of its own, as a terminal's foreground job is.
  const child = spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (s) => (output += s));
  const closed = new Promise((done) => child.once("close", done));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const dhi = {
    output: () => output,
    async until(text, ms) {
      await until(() => output.includes(text) || hasEnded(), ms, `"${text}" never came:\n${output}`);
      assert.ok(output.includes(text), `ended without "${text}":\n${output}`);
    },
    async ended() {
      await closed;
      return output;
    },
    /** SIGINT goes to the whole group, as Ctrl-C does; npm does not pass it on. */
    async stop(signal) {
      if (!hasEnded()) process.kill(signal === "SIGINT" ? -child.pid : child.pid, signal);
      await closed;
    },
  };
  started.push(dhi);
  return dhi;
}

async function endsEverything(dhi, signal) {
  const { supervisor, services } = recorded();
  await dhi.stop(signal);
  const processes = Object.entries({ supervisor, ...services });
  await until(
    () => processes.every(([, { pid }]) => !isAlive(pid)),
    STOP_MS,
    `left: ${JSON.stringify(processes)}`,
  );
  assert.equal(existsSync(runFile), false);
  await assert.rejects(health());
}

function recorded() {
  return JSON.parse(readFileSync(runFile, "utf8"));
}

async function health() {
  return (await fetch(`http://127.0.0.1:${port}/health`)).status;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    // A zombie has ended; its parent has not looked yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function until(isTrue, ms, otherwise) {
  for (const deadline = Date.now() + ms; !(await isTrue()); await sleep(100))
    assert.ok(Date.now() < deadline, otherwise);
}
