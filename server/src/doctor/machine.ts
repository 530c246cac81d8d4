/** What Dhi needs of the machine it runs on. */
import { execFile } from "node:child_process";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sameModel } from "@dhi/core/ollama";
import { contextWindow } from "../engines/create-engine.ts";
import { loadedModels } from "../machine/memory.ts";
import { needOf } from "../machine/need.ts";
import { memoryOfOllama, sharesMemory } from "../machine/ollama-memory.ts";
import { type DoctorCheck, fail, gigabytes, ok, warn } from "./check.ts";

const LEAST_NODE = 20;

export const nodeVersion: DoctorCheck = {
  ...{ id: "node", title: "Node.js" },
  look() {
    const major = Number(process.versions.node.split(".")[0]);
    if (major >= LEAST_NODE) return ok(process.version);
    return fail(`${process.version}, and Dhi needs ${LEAST_NODE} or newer`, "nvm install 22");
  },
};

/** A large repository's index with its vectors takes about as much. */
const LITTLE_DISK = 1e9;
/** SQLite and Chroma begin to fail. */
const NO_DISK = 100e6;

export const diskSpace: DoctorCheck = {
  ...{ id: "disk", title: "Disk space" },
  async look({ config: { DHI_HOME }, inCompose }) {
    const problem = await whyNotWritable(DHI_HOME);
    if (problem !== undefined)
      return fail(
        `${DHI_HOME} cannot be written (${problem}): the index stays as it is`,
        inCompose
          ? "docker compose down && docker volume rm dhi_data && docker compose up -d, which indexes anew"
          : `mkdir -p ${DHI_HOME} && chown -R "$USER" ${DHI_HOME} && chmod -R u+w ${DHI_HOME}; or set DHI_HOME to another folder`,
      );
    const { bavail, bsize } = await statfs(DHI_HOME);
    const free = bavail * bsize;
    const detail = `${gigabytes(free)} free for ${DHI_HOME}`;
    const fix = `df -h ${DHI_HOME}: free some, or set DHI_HOME to a folder of another disk`;
    if (free < NO_DISK) return fail(detail, fix);
    return free < LITTLE_DISK ? warn(detail, fix) : ok(detail);
  },
};

/** By a try: permissions do not tell of a file system that is mounted read-only, or of root. @returns the system's word */
async function whyNotWritable(folder: string): Promise<string | undefined> {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    await writeFile(file, "");
    await rm(file, { force: true });
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

export const memory: DoctorCheck = {
  ...{ id: "memory", title: "Memory for the model" },
  async look({ config, running, listed }, signal) {
    const { engine, asked } = running.now;
    if (engine.name !== "ollama") return ok(`not looked at: the engine is ${engine.name}, not Ollama`);
    if (!sharesMemory(config)) return ok(`Ollama runs elsewhere, at ${config.OLLAMA_HOST}`);
    const loaded = await loadedModels(config.OLLAMA_HOST, signal);
    const { total, available, isLimited } = await memoryOfOllama(config, loaded);
    const found = (await listed()).find(({ name }) => sameModel(name, engine.model));
    if (!found?.bytes) return ok(`${gigabytes(total)} ${isLimited ? "in its container" : "in this machine"}`);
    const { budgetTokens, maxTokens } = asked();
    const { all: needed } = needOf(found.bytes, found.shape, contextWindow(budgetTokens, maxTokens));
    const detail = `${engine.model} takes about ${gigabytes(needed)}; ${gigabytes(available)} of ${gigabytes(total)} are free${isLimited ? " in its container" : ""}`;
    const fix = isLimited
      ? "dhi model qwen2.5-coder:0.5b-base, or give the container more (OLLAMA_MEM_LIMIT in .env)"
      : "dhi model qwen2.5-coder:0.5b-base, or close what takes the memory";
    if (needed <= available) return ok(detail);
    // One that is loaded has its memory already, which may be a GPU's.
    if (loaded.some(({ name }) => sameModel(name, engine.model))) return ok(detail);
    return needed > total ? fail(detail, fix) : warn(detail, fix);
  },
};

/** @returns `undefined` while it is not in Ollama's memory, and from an Ollama that is away, which another check tells */
const loadedModel = async (host: string, model: string, signal: AbortSignal) =>
  (await loadedModels(host, signal)).find(({ name }) => sameModel(name, model));

export const gpu: DoctorCheck = {
  ...{ id: "gpu", title: "GPU" },
  async look({ config, running: { now }, inCompose }, signal) {
    if (now.engine.name !== "ollama")
      return ok(`not looked at: the engine is ${now.engine.name}, not Ollama`);
    const loaded = await loadedModel(config.OLLAMA_HOST, now.engine.model, signal);
    if (!loaded) return ok(`unknown until ${now.engine.model} is loaded`);
    const share = loaded.bytes > 0 ? loaded.gpu / loaded.bytes : 0;
    if (share >= 1) return ok(`all of ${now.engine.model} lies in the GPU's memory`);
    const fix = inCompose
      ? "docker compose -f docker-compose.yml -f docker-compose.gpu.yml up -d, or a smaller model"
      : "ollama ps; a smaller model fits: dhi model qwen2.5-coder:0.5b-base";
    if (share > 0)
      return warn(`${Math.round(100 * share)} % of ${now.engine.model} lie in the GPU's memory`, fix);
    return ok(`Ollama sees none that it can use: ${now.engine.model} runs on the CPU`);
  },
};

/** The indexer asks git; where it runs in another container, it has brought its own. */
export const git: DoctorCheck = {
  ...{ id: "git", title: "git" },
  async look({ inCompose }, signal) {
    if (inCompose) return ok("the indexer's own");
    try {
      const { stdout } = await promisify(execFile)("git", ["--version"], { signal });
      return ok(stdout.trim());
    } catch (error) {
      // Said as of every check that takes too long.
      signal.throwIfAborted();
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isMissing) throw error;
      return warn("not found: ignore rules and branches are not known", "install git, then restart Dhi");
    }
  },
};
