/**
 * `docker compose up` for real, on a machine without a container registry: `../shared/tools/compose` brings the engine
 * and stand-ins for the public images, with a real Chroma and a real Ollama in them. The model behind the default name
 * copies text from its prompt, so a completion shows that a chunk of another file was in it.
 *
 * Own project name, own port, settings in a file of its own: a Dhi that runs already is not touched. An engine that was
 * not there before is stopped at the end.
 * Exit status: 0 passed or skipped, 1 failed.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createChecks, runToEnd } from "../e2e/named-checks.mjs";
import { createWorkspace } from "../e2e/workspace.mjs";
import { freePort } from "./free-port.mjs";

const QWEN = "qwen2.5-coder:1.5b-base";
/** A connection is not kept: Compose replaces the server, and what was open to the old one breaks as it is used again. */
const HEADERS = { "content-type": "application/json", connection: "close" };
const STARCODER = "starcoder2:3b";
const MOST_IMAGE_MB = 400;
const SERVICES = ["server", "indexer", "chroma", "ollama"];

/** The environment wins over .env, and this run's settings are all in its own .env. */
const OURS =
  /^(COMPOSE_|DHI_(?!TOOLS_)|GRAFANA_|OTEL_|FIM_|EMBED|OLLAMA_|LLAMA_SERVER_|OPENAI_|CHROMA_HOST|WORKSPACE|ENGINE$|CONTEXT_|INDEXER_|LOG_LEVEL$|RESTART$|RETRIEVAL_|WATCH_|MAX_FILE)/;

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = resolve(root, "../shared/tools");
if (!existsSync(join(tools, "compose", "up.sh"))) {
  console.log("skipped: ../shared/tools/compose, which brings a Docker engine, is not here");
  process.exit(0);
}

const scratch = mkdtempSync(join(tmpdir(), "dhi-smoke-compose-"));
const envFile = join(scratch, ".env");
const workspace = createWorkspace();
// Made for its owner alone, and the containers run as somebody else.
chmodSync(workspace.dir, 0o755);
const project = `dhi-smoke-${process.pid}`;
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const checks = createChecks();
/** An engine that ran before is somebody else's. */
const engineIsOurs = spawnSync("docker", ["version"], { stdio: "ignore", timeout: 10_000 }).status !== 0;
await runToEnd(checks, run, cleanUp);

async function run() {
  writeSettings(QWEN);
  await checks.check("engine, images and models are there", async () => {
    must("bash", [join(tools, "ollama", "setup.sh"), "server"]);
    must("bash", [join(tools, "ollama", "models.sh"), "copy", "nomic", "starcoder2"]);
    const aliases = { [QWEN]: "dhi-copy:qwen", "nomic-embed-text": "dhi-synthetic-nomic" };
    aliases[STARCODER] = "dhi-synthetic-starcoder2:tiny";
    const args = Object.entries(aliases).flatMap(([asked, stored]) => ["--alias", `${asked}=${stored}`]);
    const up = join(tools, "compose", "up.sh");
    must("bash", [up]);
    // Without the services of profiles, for whose images there are no stand-ins.
    const started = join(scratch, "started.yml");
    writeFileSync(started, must(...composeCommand("config")));
    must("bash", [up, "--for", started, ...args]);
  });
  await checks.check("docker compose up -d --build", async () => {
    up("900", "--build");
  });
  if (checks.failed()) return showLogs();

  await checks.check("the four services are healthy", async () => {
    const states = services();
    assert.deepEqual(
      Object.fromEntries(SERVICES.map((name) => [name, states[name]?.Health])),
      Object.fromEntries(SERVICES.map((name) => [name, "healthy"])),
    );
  });
  await checks.check("the one-shot pulls both models, with progress", async () => {
    await until(() => services().models?.State === "exited", 300_000, "models never ended");
    assert.equal(services().models.ExitCode, 0, compose("logs", "models"));
    const log = compose("logs", "--no-log-prefix", "models");
    for (const model of [QWEN, "nomic-embed-text"])
      assert.match(log, new RegExp(`${model}: pulling .* 100%`));
  });
  await checks.check("only the server's port is published, on 127.0.0.1", async () => {
    const published = Object.entries(services()).flatMap(([name, { Publishers }]) =>
      (Publishers ?? []).filter((p) => p.PublishedPort).map((p) => `${name} ${p.URL}:${p.PublishedPort}`),
    );
    assert.deepEqual(published, [`server 127.0.0.1:${port}`]);
  });
  await checks.check("the model completes and everything is embedded", async () => {
    let now;
    await until(
      async () => {
        now = await status();
        const { engine, indexer } = now;
        const hasModel = engine.name === "ollama" && indexer?.embedder.id === "ollama:nomic-embed-text";
        // What is embedded may still be on its way to Chroma.
        const isStored = indexer?.pendingEmbeddings === 0 && indexer.vectors.stored === indexer.chunks;
        return hasModel && indexer.state === "watching" && indexer.chunks > 0 && isStored;
      },
      180_000,
      () => `status: ${JSON.stringify(now)}`,
    );
    const { indexer } = now;
    return `${indexer.files} files, ${indexer.chunks} chunks, ${indexer.vectors.stored} vectors`;
  });
  await checks.check("the prompt holds a chunk of the file that defines the name", async () => {
    const { prompt, format, sources } = await post("/v1/prompt", nativeRequest());
    assert.equal(format, "qwen");
    assert.ok(
      sources.some((s) => s.path === "shop/pricing.py"),
      JSON.stringify(sources),
    );
    assert.ok(prompt.includes("def total_with_tax(lines, tax_rate):"), prompt);
    assert.ok(prompt.includes("<|fim_prefix|>") && prompt.endsWith("<|fim_middle|>"), prompt);
  });
  await checks.check("/complete is answered by Ollama with text of another file", async () => {
    const { path, prefix, suffix, languageId } = nativeRequest();
    const body = { file_path: path, prefix, suffix, language: languageId };
    const { completion } = await post("/complete", body);
    assert.match(completion, /^_with_tax\(/);
    const done = await fim();
    assert.deepEqual([done.engine, done.model, done.format], ["ollama", QWEN, "qwen"]);
    return JSON.stringify(completion);
  });
  await checks.check("the workspace cannot be written", async () => {
    const shell = "echo x > /workspace/x";
    assert.match(compose("exec", "-T", "indexer", "sh", "-c", shell), /Read-only file system/);
  });
  await checks.check(
    "the profile metrics adds Prometheus and Grafana, pinned, and publishes on 127.0.0.1",
    async () => {
      const { services } = JSON.parse(
        must(...composeCommand("--profile", "metrics", "config", "--format", "json")),
      );
      for (const name of ["prometheus", "grafana"]) {
        const { image, volumes, ports = [] } = services[name];
        assert.match(image, /:v?\d+\.\d+\.\d+$/);
        assert.ok(
          ports.every((p) => p.host_ip === "127.0.0.1"),
          JSON.stringify(ports),
        );
        for (const { type, source } of volumes) if (type === "bind") assert.ok(existsSync(source), source);
      }
      assert.deepEqual(services.prometheus.ports ?? [], []);
      // Compose copies what stands in its file into the container, and cannot where that is read-only.
      for (const { configs, read_only } of Object.values(services)) assert.ok(!(configs && read_only));
    },
  );
  await checks.check(
    "/metrics answers to the name that Prometheus has for the server, and nothing else does",
    async () => {
      const ask = (path) =>
        compose(
          "exec",
          "-T",
          "indexer",
          "node",
          "-e",
          `fetch("http://server:8000${path}").then((r) => console.log(r.status))`,
        );
      assert.equal(ask("/metrics").trim(), "200");
      assert.equal(ask("/v1/status").trim(), "403");
    },
  );
  await checks.check(`the images stay under ${MOST_IMAGE_MB} MB`, async () => {
    const sizes = ["dhi/server:0.1.0", "dhi/indexer:0.1.0"].map((image) => {
      const mb = Number(must("docker", ["image", "inspect", "-f", "{{.Size}}", image])) / 1e6;
      assert.ok(mb < MOST_IMAGE_MB, `${image}: ${mb} MB`);
      return `${image} ${Math.round(mb)} MB`;
    });
    return sizes.join(", ");
  });
  await checks.check("another FIM_MODEL in .env changes the model and the prompt's format", async () => {
    writeSettings(STARCODER);
    up("300");
    const { prompt, format } = await post("/v1/prompt", nativeRequest());
    assert.equal(format, "starcoder2");
    assert.ok(prompt.includes("<fim_prefix>") && prompt.endsWith("<fim_middle>"), prompt);
    assert.ok(!prompt.includes("<|fim_"), prompt);
    await until(async () => (await fim()).model === STARCODER, 120_000, "the other model never answered");
  });
  await checks.check(
    "a model that cannot fill in the middle is refused by name, and not restarted for ever",
    async () => {
      writeSettings("llama3.2:1b");
      assert.notEqual(composeStatus("up", "-d", "--wait", "--wait-timeout", "120", "--no-deps", "server"), 0);
      await until(() => services().server?.State === "exited", 60_000, "the server still tries");
      assert.match(compose("logs", "--no-log-prefix", "server"), /"llama3\.2:1b" .*FIM_MODEL=/);
    },
  );
  if (checks.failed()) showLogs();
  await checks.check("down leaves nothing but volumes", async () => {
    must(...composeCommand("down", "--timeout", "20"));
    const label = `label=com.docker.compose.project=${project}`;
    assert.equal(must("docker", ["ps", "-aq", "--filter", label]), "");
    assert.equal(must("docker", ["network", "ls", "-q", "--filter", label]), "");
    const volumes = must("docker", ["volume", "ls", "-q", "--filter", label]).split("\n");
    assert.deepEqual(
      volumes.sort(),
      ["chroma", "data", "ollama"].map((name) => `${project}_${name}`),
    );
    await assert.rejects(fetch(`${url}/health`));
  });
}

/**
 * Waits for the services that stay, and starts the rest: to Compose a one-shot that ends well meanwhile is a failure of the wait,
 * which on a busy machine it does.
 */
function up(seconds, ...flags) {
  must(...composeCommand("up", "-d", ...flags, "--wait", "--wait-timeout", seconds, ...SERVICES));
  must(...composeCommand("up", "-d"));
}

function cleanUp() {
  compose("down", "-v", "--remove-orphans", "--timeout", "5");
  workspace.remove();
  rmSync(scratch, { recursive: true, force: true });
  if (engineIsOurs) spawnSync("bash", [join(tools, "compose", "down.sh")], { stdio: "inherit" });
}

function writeSettings(model) {
  writeFileSync(
    envFile,
    `WORKSPACE=${workspace.dir}\nWORKSPACE_NAME=shop\nDHI_PORT=${port}\nFIM_MODEL=${model}\nRETRIEVAL_TIMEOUT_MS=2000\nOLLAMA_NUM_THREAD=1\n`,
  );
}

/** Checkout's total as if somebody types it: the cursor stands after `pricing.total`. */
function nativeRequest() {
  return {
    path: "shop/checkout.py",
    languageId: "python",
    prefix:
      '"""The last step."""\n\nfrom shop import pricing\n\n\ndef cart_total(cart):\n    return pricing.total',
    suffix: "\n",
    trigger: "manual",
  };
}

async function post(path, body) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return JSON.parse(text);
}

/** @returns the last event */
async function fim() {
  const response = await fetch(`${url}/v1/fim`, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(nativeRequest()),
  });
  const events = (await response.text()).split("\n").filter((line) => line.startsWith("data:"));
  return JSON.parse(events.at(-1)?.slice("data:".length) ?? "{}");
}

async function status() {
  return (await fetch(`${url}/v1/status`, { headers: HEADERS })).json();
}

/** @returns what Compose says of each container, by service */
function services() {
  const lines = compose("ps", "-a", "--format", "json").trim().split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map((c) => [c.Service, c]));
}

function showLogs() {
  console.log(compose("ps", "-a"));
  console.log(compose("logs", "--tail", "40"));
}

function composeCommand(...args) {
  return ["docker", ["compose", "--project-name", project, "--env-file", envFile, ...args]];
}

/** @returns all it printed, whether it failed or not */
function compose(...args) {
  const { stdout, stderr } = execute(...composeCommand(...args));
  return stdout + stderr;
}

/** @returns the exit code */
function composeStatus(...args) {
  return execute(...composeCommand(...args)).status;
}

/** @returns what it printed, without blank ends; fails with all its words */
function must(command, args) {
  const { status, stdout, stderr } = execute(command, args);
  assert.equal(status, 0, `${command} ${args.join(" ")}:\n${stdout}\n${stderr}`);
  return stdout.trim();
}

function execute(command, args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)));
  return spawnSync(command, args, { cwd: root, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

async function until(isTrue, ms, otherwise) {
  for (const deadline = Date.now() + ms; !(await isTrue()); await sleep(500))
    assert.ok(Date.now() < deadline, typeof otherwise === "function" ? otherwise() : otherwise);
}
