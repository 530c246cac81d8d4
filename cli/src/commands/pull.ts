/** `dhi model --pull`: has Ollama fetch a model, and shows how far it is. */
import type { PullProgress } from "@dhi/core/config-protocol";
import { type Call, EXIT, UsageError } from "../command.ts";
import { bar } from "../progress-bar.ts";
import { hasFields } from "../server.ts";

/** @throws {UsageError} {ServerAway} {ServerRefused} */
export async function pull({ parameters: [model], server, surroundings, json }: Call): Promise<number> {
  if (model === undefined) throw new UsageError("--pull wants the name of a model, as Ollama has it");
  const { print, complain, progress } = surroundings;
  const signal = surroundings.interrupted?.() ?? new AbortController().signal;
  const isNews = newsOf();
  let isWhole = false;
  for await (const event of server.events("/v1/models/pull", { model }, isProgress, signal)) {
    isWhole = event.done;
    if (json) print(JSON.stringify(event));
    else if (progress) progress(lineOf(event));
    else if (isNews(event)) print(`${model}: ${lineOf(event)}`);
  }
  progress?.("");
  if (isWhole) {
    if (!json) print(`Ollama has ${model} now. To complete with it: dhi model ${model}`);
    return EXIT.yes;
  }
  complain(`dhi: stopped. What there is of ${model} is kept, and the next pull goes on from there.`);
  return EXIT.no;
}

const isProgress = hasFields<PullProgress>("status", "completed", "total", "done");

function lineOf({ status, completed, total }: PullProgress): string {
  if (total === 0) return status;
  return `${bar(completed / total)} ${gigabytes(completed)} of ${gigabytes(total)} GB: ${status}`;
}

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);

/** Where lines stay: one for each state, and one for each tenth of it. */
function newsOf(): (event: PullProgress) => boolean {
  let before = "";
  return ({ status, completed, total }) => {
    const now = `${status} ${total > 0 ? Math.floor((10 * completed) / total) : ""}`;
    const isNew = now !== before;
    before = now;
    return isNew;
  };
}
