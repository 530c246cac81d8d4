/** `dhi index`: brings a file or folder up to date in the index, and shows how far it is. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexResponse, Job } from "@dhi/core/protocol";
import { type Call, type Command, EXIT, inWorkspace } from "../command.ts";
import { askByPath } from "../path-at-server.ts";
import { bar } from "../progress-bar.ts";
import { hasFields } from "../server.ts";
import { watchIndex } from "../watch-index.ts";

export const index: Command = {
  ...{ name: "index", parameters: "[PATH]", least: 0, most: 1 },
  summary: "bring a file, a folder or all of the workspace up to date in the index",
  options: { watch: { type: "boolean", describe: "then tell what changes in the index, until Ctrl-C" } },
  exits: "0 up to date, 1 failed, cancelled or left out of the index",
  async run(call) {
    const [path] = call.parameters;
    const file = path === undefined ? undefined : resolve(call.surroundings.cwd, path);
    const isFile = file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile();
    const exit = await (isFile ? indexFile(file, call) : indexFolder(file, call));
    if (call.options.watch && exit === EXIT.yes) await watchIndex(call);
    return exit;
  },
};

async function indexFile(file: string, call: Call): Promise<number> {
  const { server, surroundings, json } = call;
  const answer = await askByPath(file, server, (file_path) =>
    server.send("POST", "/index", { file_path, ...inWorkspace(call) }, isIndexed),
  );
  const { indexed, skipped } = answer;
  surroundings.print(
    json ? JSON.stringify(answer) : skipped ? `left out: ${skipped}` : `indexed: ${indexed} chunks`,
  );
  return skipped ? EXIT.no : EXIT.yes;
}

/** How often a job is asked for its progress. */
const LOOK_EVERY_MS = 200;

/** @param folder absolute; all of the workspace when left out */
async function indexFolder(folder: string | undefined, call: Call): Promise<number> {
  const { server, surroundings, json } = call;
  const start = (dir_path: string) =>
    server.send("POST", "/index-dir", { dir_path, ...inWorkspace(call) }, isStarted);
  const { job: id } = folder === undefined ? await start(".") : await askByPath(folder, server, start);
  for (;;) {
    const job = await server.get(`/v1/jobs/${encodeURIComponent(id)}`, {}, isJob);
    surroundings.progress?.(progressOf(job));
    if (job.state === "running") {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    surroundings.progress?.("");
    surroundings.print(json ? JSON.stringify(job) : describe(job));
    return job.state === "done" ? EXIT.yes : EXIT.no;
  }
}

const isIndexed = hasFields<IndexResponse>("indexed");
const isStarted = hasFields<{ readonly job: string }>("job");
const isJob = hasFields<Job>("state", "files", "filesTotal");

function progressOf({ files, filesTotal, chunks, etaMs }: Job): string {
  const share = filesTotal > 0 ? files / filesTotal : 0;
  const eta = etaMs ? `, ${Math.ceil(etaMs / 1_000)} s left` : "";
  return `${bar(share)} ${files} of ${filesTotal} files, ${chunks} chunks${eta}`;
}

function describe({ state, files, chunks, chunksTotal, embedded, error }: Job): string {
  const waiting = chunksTotal - embedded;
  const vectors = state === "done" && waiting > 0 ? `; ${waiting} vectors follow in the background` : "";
  // Of a folder that is mistyped, too.
  if (state === "done" && files === 0) return "done: there are no files that can be indexed";
  return `${state}: ${files} files, ${chunks} chunks${error ? ` (${error})` : ""}${vectors}`;
}
