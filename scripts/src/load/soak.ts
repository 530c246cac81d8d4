/** Many requests of many sessions that come and go: whether the server keeps what it should forget. */
import { cpuSeconds } from "../bench/memory.ts";
import { createRandom } from "../bench/random.ts";
import { createTypist, hasFailed, type Typist } from "./typist.ts";
import { withWorld } from "./world.ts";

export interface SoakSample {
  readonly requests: number;
  readonly residentMb: number;
  /** Of the server's processor time since the start, for each request. */
  readonly cpuMs: number;
  readonly failed: number;
  readonly wrong: number;
}

/** Side by side; each begins anew as another session after so many keystrokes. */
const TYPISTS = 8;
const KEYSTROKES_PER_SESSION = 100;
const SAMPLES = 20;
const GIVES_UP = 0.1;

/** @returns after every twentieth of the requests */
export async function runSoak(
  requests: number,
  onSample: (sample: SoakSample) => void,
): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  await withWorld(0, async ({ url, stack }) => {
    const cpuBefore = cpuSeconds(stack.pid("server"));
    let done = 0;
    let id = 0;
    let failed = 0;
    let wrong = 0;
    const random = createRandom(1);
    const newTypist = (): Typist =>
      createTypist({ url, id: ++id, random, deadlineMs: 10_000, givesUp: GIVES_UP });

    async function work(): Promise<void> {
      let typist = newTypist();
      for (let n = 1; done < requests; n++) {
        if (n % KEYSTROKES_PER_SESSION === 0) typist = newTypist();
        const asked = await typist.type();
        done++;
        if (hasFailed(asked)) failed++;
        if (asked.isWrong) wrong++;
        if (done % Math.ceil(requests / SAMPLES) !== 0) continue;
        const sample = {
          ...{ requests: done, failed, wrong },
          residentMb: stack.memory("server").nowMb,
          cpuMs: ((cpuSeconds(stack.pid("server")) - cpuBefore) * 1_000) / done,
        };
        samples.push(sample);
        onSample(sample);
      }
    }
    await Promise.all(Array.from({ length: TYPISTS }, work));
  });
  return samples;
}

/** What counts as warm: the first fifth fills caches. */
export function growthMb(samples: readonly SoakSample[]): number {
  const warm = samples.slice(Math.floor(samples.length / 5));
  const middle = (part: readonly SoakSample[]) =>
    part.map(({ residentMb }) => residentMb).sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const fourth = Math.max(1, Math.floor(warm.length / 4));
  return middle(warm.slice(-fourth)) - middle(warm.slice(0, fourth));
}
