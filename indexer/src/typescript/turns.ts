/**
 * One piece of work after the other, those of one owner in a row: what it needs is in memory then. Owners that ask for one
 * piece at a time would else have their turn alternately, and each find that of the others there.
 */
export interface Turns {
  /** @throws what the work throws */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export interface TurnsOptions {
  /** After which others that wait come first. */
  readonly turnMs: number;
  /** How long an owner may take to ask for its next piece. */
  readonly graceMs: number;
}

interface Waiting {
  readonly owner: string;
  start(): Promise<void>;
}

export function createTurns({ turnMs, graceMs }: TurnsOptions): Turns {
  const waiting: Waiting[] = [];
  let owner: string | undefined;
  let since = 0;
  let isBusy = false;
  let grace: NodeJS.Timeout | undefined;

  function next(): void {
    if (isBusy || waiting.length === 0) return;
    const isOver = performance.now() - since >= turnMs;
    const own = waiting.findIndex((one) => one.owner === owner);
    const other = waiting.findIndex((one) => one.owner !== owner);
    if (owner !== undefined && own < 0 && !isOver) grace ??= setTimeout(release, graceMs);
    else start((own >= 0 && !isOver) || other < 0 ? own : other);
  }

  function start(index: number): void {
    const [chosen] = waiting.splice(index, 1);
    if (!chosen) return;
    clearTimeout(grace);
    grace = undefined;
    if (chosen.owner !== owner) since = performance.now();
    owner = chosen.owner;
    isBusy = true;
    chosen.start().then(() => {
      isBusy = false;
      next();
    });
  }

  function release(): void {
    grace = undefined;
    owner = undefined;
    next();
  }

  return {
    run: (asking, work) =>
      new Promise((resolve, reject) => {
        waiting.push({ owner: asking, start: () => work().then(resolve, reject) });
        next();
      }),
  };
}
