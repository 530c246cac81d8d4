/** The thread of `instant-tier.ts`: a question in, its answer out, and beside them what is known by now. */
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadData, ThreadMessage, ThreadQuestion } from "./instant-tier.ts";
import { openIndexes } from "./open-indexes.ts";

/** Whoever looks at it looks now and then. */
const STATUS_MS = 250;

const data: ThreadData = workerData;
const { indexes } = openIndexes(data, (warning) => tell({ warning }));
let told = "";

async function answer({ id, workspace, predict }: ThreadQuestion): Promise<void> {
  const index = indexes[workspace];
  if (predict) {
    const line = await index?.predict(...predict);
    tell({ id, ...(line && { line }) });
    return;
  }
  await index?.refresh();
  tellStatuses();
  tell({ id });
}

function tellStatuses(): void {
  const statuses = indexes.map((index) => index.status());
  const now = JSON.stringify(statuses);
  if (now !== told) tell({ statuses });
  told = now;
}

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

parentPort?.on("message", (question: ThreadQuestion) => void answer(question));
setInterval(tellStatuses, STATUS_MS);
