/**
 * Which of llama-server's slots a request takes. A slot holds one prompt's cache, so each editor session keeps one of its
 * own: two sessions in the same slot would throw out each other's cache with every keystroke. While there are more slots
 * than sessions, a session has one for each of its files, and finds them as it left them when it comes back.
 */

export interface SlotLeases {
  /**
   * @param sessionId without one the server chooses: {@link ANY_SLOT}
   * @param path of the file, which most of a prompt depends on
   * @returns the slot; call `end` when done with it
   */
  take(sessionId: string | undefined, path: string): { readonly slot: number; end(): void };
}

interface Lease {
  readonly slot: number;
  readonly sessionId: string;
  readonly path: string;
}

/** What llama-server reads as: take the slot whose prompt is most like this one. */
export const ANY_SLOT = -1;

/** @param slots how many the server has, from 0 */
export function createSlotLeases(slots: number): SlotLeases {
  /** One per slot at most; used longest ago first. */
  let leases: readonly Lease[] = [];
  const calls = new Map<number, number>();
  const isIdle = ({ slot }: Lease) => !calls.get(slot);

  function slotFor(sessionId: string, path: string): number {
    const own = leases.filter((lease) => lease.sessionId === sessionId);
    const same = own.find((lease) => lease.path === path);
    if (same) return same.slot;
    const taken = new Set(leases.map(({ slot }) => slot));
    for (let slot = 0; slot < slots; slot++) if (!taken.has(slot)) return slot;
    const loser = own.find(isIdle) ?? own[0] ?? spare() ?? leases.find(isIdle) ?? leases[0];
    return loser?.slot ?? ANY_SLOT;
  }

  /** The oldest of a session that has another one. */
  function spare(): Lease | undefined {
    return leases.find(
      (lease) =>
        isIdle(lease) && leases.some((other) => other !== lease && other.sessionId === lease.sessionId),
    );
  }

  return {
    take(sessionId, path) {
      if (sessionId === undefined) return { slot: ANY_SLOT, end() {} };
      const slot = slotFor(sessionId, path);
      leases = [...leases.filter((lease) => lease.slot !== slot), { slot, sessionId, path }];
      calls.set(slot, (calls.get(slot) ?? 0) + 1);
      let isOver = false;
      return {
        slot,
        end() {
          if (isOver) return;
          isOver = true;
          calls.set(slot, (calls.get(slot) ?? 1) - 1);
        },
      };
    },
  };
}
