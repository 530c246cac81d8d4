/** Real model servers, where this machine has them: started on a free port with one thread, and stopped by their pid. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { closedPort } from "@dhi/core/testing/fake-server";
import { z } from "zod";

export interface RealServer extends AsyncDisposable {
  readonly url: string;
  readonly version: string;
}

export interface Installed {
  /** Why it can't be started here, and how it could; `undefined` when it can. */
  readonly missing: string | undefined;
  start(): Promise<RealServer>;
}

/** A model that continues a text by copying from it: real text from real servers, without a download. */
export const COPY_MODEL = "dhi-copy:qwen";
const CACHE = process.env.DHI_TOOLS_CACHE || join(homedir(), ".cache", "dhi-tools");
const HOW = `no model server in ${CACHE} (DHI_TOOLS_CACHE names another folder)`;

/** DHI_TEST_OLLAMA is the URL of one that runs already. */
export function realOllama(): Installed {
  const running = process.env.DHI_TEST_OLLAMA;
  const binary = join(CACHE, "ollama", "bin", "ollama");
  const models = join(CACHE, "ollama", "models");
  const manifest = join(models, "manifests", "registry.ollama.ai", "library", ...COPY_MODEL.split(":"));
  const versionAt = async (url: string) =>
    z.object({ version: z.string() }).parse(await (await fetch(`${url}/api/version`)).json()).version;
  return {
    missing:
      running || (existsSync(binary) && existsSync(manifest))
        ? undefined
        : `${HOW}, and DHI_TEST_OLLAMA names none by its URL`,
    async start() {
      if (running)
        return { url: running, version: await versionAt(running), async [Symbol.asyncDispose]() {} };
      const host = `127.0.0.1:${await closedPort()}`;
      const env = { ...process.env, OLLAMA_HOST: host, OLLAMA_MODELS: models, OLLAMA_NUM_PARALLEL: "1" };
      const stop = startProcess(binary, ["serve"], env);
      const url = `http://${host}`;
      await answers(`${url}/api/version`);
      return { url, version: await versionAt(url), [Symbol.asyncDispose]: stop };
    },
  };
}

/** With two slots of 2,048 tokens, and the copying model under the name {@link COPY_MODEL}. */
export function realLlamaServer(): Installed {
  const binary = join(CACHE, "llama-server", "bin", "llama-server");
  const model = join(CACHE, "gguf", "copy-qwen.gguf");
  return {
    missing: existsSync(binary) && existsSync(model) ? undefined : HOW,
    async start() {
      const port = await closedPort();
      const args = [
        ...["-m", model, "--alias", COPY_MODEL, "--host", "127.0.0.1", "--port", String(port)],
        ...["-c", "4096", "-np", "2", "-b", "256", "-t", "1"],
      ];
      const stop = startProcess(binary, args, process.env);
      const url = `http://127.0.0.1:${port}`;
      await answers(`${url}/health`);
      const props = await (await fetch(`${url}/props`)).json();
      const version = z.object({ build_info: z.string() }).parse(props).build_info;
      return { url, version, [Symbol.asyncDispose]: stop };
    },
  };
}

/** @returns what stops it */
function startProcess(binary: string, args: readonly string[], env: NodeJS.ProcessEnv): () => Promise<void> {
  const child: ChildProcess = spawn(binary, args, { env, stdio: "ignore" });
  const kill = () => child.kill();
  process.once("exit", kill);
  return async () => {
    process.off("exit", kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    kill();
    await ended;
  };
}

const START_TIMEOUT_MS = 60_000;

async function answers(url: string): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > until) throw new Error(`${url} did not come up in ${START_TIMEOUT_MS / 1000} s`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
