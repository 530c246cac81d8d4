/** The TypeScript process: one request in, one answer out, and before it the project that it is about. */
import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { createHeap } from "./heap.ts";
import type { FromTypeProcess, ToTypeProcess } from "./type-process.ts";
import { createTypeReader } from "./type-reader.ts";

yieldToOthers();

const reader = createTypeReader({
  heap: createHeap(Number(process.argv[2])),
  onProject: (project) => tell({ project }),
});

let last = Promise.resolve();
process.on("message", ({ id, request }: ToTypeProcess) => {
  last = last.then(async () => {
    try {
      await tell({ id, answer: await reader.look(request) });
    } catch (error) {
      await tell({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
});
process.on("disconnect", () => process.exit());

/** @returns once it is on its way: what comes next may end the process */
function tell(message: FromTypeProcess): Promise<void> {
  return new Promise((done) => {
    process.send?.(message, () => done());
  });
}

/** Everything else on the machine is waited for by someone. */
function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
    // Where memory runs out, Linux ends this process first.
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not on this system, or not allowed: then it is one process among others.
  }
}
