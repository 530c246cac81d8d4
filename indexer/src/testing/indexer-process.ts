/** `main.ts` as a process of its own, for what only a process can do: exit codes, signals, SIGKILL. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

export interface IndexerProcess {
  readonly child: ChildProcess;
  /** Lines of its log so far. */
  readonly log: readonly { readonly msg: string; readonly url?: string }[];
  /** Settles when it listens, with its address. */
  listening(): Promise<string>;
  /** Settles when it is gone. */
  exited(): Promise<{ code: number | null; stderr: string }>;
}

const root = resolve(import.meta.dirname, "../../..");

/** Node 20 runs no TypeScript. @returns the file to run; its packages are found from where it lies */
export async function buildIndexer(): Promise<string> {
  const packagesOf = (name: string) =>
    Object.keys(JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")).dependencies);
  const outfile = join(root, "indexer/node_modules/.dhi-test", `main-${process.pid}.mjs`);
  mkdirSync(join(outfile, ".."), { recursive: true });
  await build({
    ...{ entryPoints: [join(root, "indexer/src/main.ts")], outfile, bundle: true, logLevel: "error" },
    ...{ platform: "node", format: "esm", conditions: ["source"] },
    external: [...packagesOf("core"), ...packagesOf("indexer")].filter((name) => !name.startsWith("@dhi/")),
  });
  return outfile;
}

export function startProcess(main: string, env: NodeJS.ProcessEnv): IndexerProcess {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (part) => (stdout += part));
  child.stderr.on("data", (part) => (stderr += part));
  const exit = once(child, "close");
  const log = () =>
    stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    child,
    get log() {
      return log();
    },
    async listening() {
      for (;;) {
        const url = log().find((entry) => entry.msg === "listening")?.url;
        if (url) return url;
        await Promise.race([
          once(child.stdout, "data"),
          exit.then(() => Promise.reject(new Error(stderr || stdout))),
        ]);
      }
    },
    exited: async () => ({ code: (await exit)[0], stderr }),
  };
}
