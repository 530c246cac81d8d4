/** A bar on a terminal, a line now and then elsewhere (logs, CI). */
import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  update(done: number, total: number, text: string): void;
  stop(): void;
}

/** How often a line is printed where there is no terminal. */
const LINE_EVERY_MS = 2000;

export function createProgress(label: string): Progress {
  return process.stdout.isTTY ? barProgress(label) : lineProgress(label);
}

function barProgress(label: string): Progress {
  const bar = new SingleBar(
    { format: `${label} {bar} {percentage} % · {text}`, hideCursor: true, barsize: 24, fps: 10 },
    Presets.shades_classic,
  );
  bar.start(1, 0, { text: "" });
  return {
    update(done, total, text) {
      bar.setTotal(Math.max(1, total));
      bar.update(done, { text });
    },
    stop: () => bar.stop(),
  };
}

function lineProgress(label: string): Progress {
  let printedAt = 0;
  let printed = "";
  let last = "";
  const print = () => {
    if (last === printed) return;
    console.log(`${label} ${last}`);
    printed = last;
    printedAt = Date.now();
  };
  return {
    update(done, total, text) {
      last = `${total ? Math.floor((100 * done) / total) : 0} % · ${text}`;
      if (Date.now() - printedAt >= LINE_EVERY_MS) print();
    },
    stop: print,
  };
}
