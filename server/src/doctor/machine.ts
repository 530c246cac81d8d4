/** What Dhi needs of the machine it runs on. */
import { execFile } from "node:child_process";
import { readFile, statfs } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { promisify } from "node:util";
import { sameModel } from "@dhi/core/ollama";
import { type DoctorCheck, fail, gigabytes, isHere, ok, warn } from "./check.ts";

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
  async look({ config: { DHI_HOME } }) {
    const { bavail, bsize } = await statfs(DHI_HOME);
    const free = bavail * bsize;
    const detail = `${gigabytes(free)} free for ${DHI_HOME}`;
    const fix = `df -h ${DHI_HOME}: free some, or set DHI_HOME to a folder of another disk`;
    if (free < NO_DISK) return fail(detail, fix);
    return free < LITTLE_DISK ? warn(detail, fix) : ok(detail);
  },
};

/** Weights, and what the context and the runner take. */
const MORE_THAN_WEIGHTS = 1.2;

export const memory: DoctorCheck = {
  ...{ id: "memory", title: "Memory for the model" },
  async look({ config, running, models }, signal) {
    const { engine } = running.now;
    if (engine.name !== "ollama") return ok(`not looked at: the engine is ${engine.name}, not Ollama`);
    if (!isHere(config.OLLAMA_HOST)) return ok(`Ollama runs elsewhere, at ${config.OLLAMA_HOST}`);
    const found = (await models().catch(() => [])).find(({ name }) => sameModel(name, engine.model));
    if (!found?.bytes) return ok(`${gigabytes(totalmem())} in this machine`);
    const needed = found.bytes * MORE_THAN_WEIGHTS;
    const available = await availableMemory();
    const detail = `${engine.model} takes about ${gigabytes(needed)}; ${gigabytes(available)} of ${gigabytes(totalmem())} are free`;
    const fix = "dhi model qwen2.5-coder:0.5b-base, or close what takes the memory";
    if (needed <= available) return ok(detail);
    // One that is loaded has its memory already, which may be a GPU's.
    if (await isLoaded(config.OLLAMA_HOST, engine.model, signal)) return ok(detail);
    return needed > totalmem() ? fail(detail, fix) : warn(detail, fix);
  },
};

/** @returns also what the system would give back from its caches; `os.freemem` leaves that out */
async function availableMemory(): Promise<number> {
  const meminfo = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}

async function isLoaded(host: string, model: string, signal: AbortSignal): Promise<boolean> {
  return (await loadedModels(host, signal)).some(({ name }) => sameModel(name, model));
}

/** A model in Ollama's memory, and how much of it lies in that of a GPU. */
interface LoadedModel {
  readonly name: string;
  readonly size: number;
  readonly size_vram: number;
}

/** @returns none from an Ollama that does not answer, which another check tells */
async function loadedModels(host: string, signal: AbortSignal): Promise<LoadedModel[]> {
  const response = await fetch(`${host}/api/ps`, { signal }).catch(() => undefined);
  if (!response) return [];
  const body = (await response.json()) as { models?: Partial<LoadedModel>[] };
  return (body.models ?? []).map(({ name = "", size = 0, size_vram = 0 }) => ({ name, size, size_vram }));
}

export const gpu: DoctorCheck = {
  ...{ id: "gpu", title: "GPU" },
  async look({ config, running: { now }, inCompose }, signal) {
    if (now.engine.name !== "ollama")
      return ok(`not looked at: the engine is ${now.engine.name}, not Ollama`);
    const loaded = (await loadedModels(config.OLLAMA_HOST, signal)).find(({ name }) =>
      sameModel(name, now.engine.model),
    );
    if (!loaded) return ok(`unknown until ${now.engine.model} is loaded`);
    const share = loaded.size > 0 ? loaded.size_vram / loaded.size : 0;
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
    } catch {
      return warn("not found: ignore rules and branches are not known", "install git, then restart Dhi");
    }
  },
};
