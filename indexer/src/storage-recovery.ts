/** While the disk of the index fails, everything is compared again, ever later, until it can be written. */
import { type StorageProblem, storageProblem } from "./storage-problem.ts";

export interface StorageRecovery {
  /** Takes note of what a write threw. @returns what to say, for an error that is about the disk */
  failed(error: unknown): string | undefined;
  /** Everything that there was to write is written. */
  worked(): void;
  /** In words for people; `undefined` while all is well. */
  problem(): string | undefined;
  close(): void;
}

export interface StorageRecoveryDeps {
  /** The folder of `index.db`. */
  readonly dir: string;
  /** Compares everything: what could not be written is found again. */
  readonly retry: () => void;
  /** Trying again will not help. */
  readonly onDamaged: () => void;
  readonly firstMs?: number;
  readonly mostMs?: number;
}

export function createStorageRecovery(deps: StorageRecoveryDeps): StorageRecovery {
  const { dir, retry, onDamaged, firstMs = 1_000, mostMs = 60_000 } = deps;
  let problem: StorageProblem | undefined;
  let tries = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    failed(error) {
      const found = storageProblem(error, dir);
      if (!found) return undefined;
      problem = found;
      clearTimeout(timer);
      if (found.kind === "damaged") onDamaged();
      else timer = setTimeout(retry, Math.min(mostMs, firstMs * 2 ** tries++));
      return found.words;
    },
    worked() {
      problem = undefined;
      tries = 0;
      clearTimeout(timer);
    },
    problem: () => problem?.words,
    close: () => clearTimeout(timer),
  };
}
