/**
 * Which of llama-server's slots a request takes. A slot holds one prompt's cache, so each editor session keeps one of its
 * own: two sessions in the same slot would throw out each other's cache with every keystroke.
 */

export interface SlotLeases {
  /**
   * @param sessionId without one the server chooses: {@link ANY_SLOT}
   * @returns the session's slot. Sessions share one only while there are more of them than slots; then it is the one
   * that no call uses, and that was used longest ago. Call `end` when done
   */
  take(sessionId: string | undefined): { readonly slot: number; end(): void };
}

/** What llama-server reads as: take the slot whose prompt is most like this one. */
export const ANY_SLOT = -1;

/** @param slots how many the server has, from 0 */
export function createSlotLeases(slots: number): SlotLeases {
  /** Used longest ago first. */
  const leases = new Map<string, number>();
  const calls = new Map<number, number>();

  function slotFor(sessionId: string): number {
    const own = leases.get(sessionId);
    if (own !== undefined) return own;
    const taken = new Set(leases.values());
    for (let slot = 0; slot < slots; slot++) if (!taken.has(slot)) return slot;
    const [lru] = leases;
    const [loser, slot] = [...leases].find(([, leased]) => !calls.get(leased)) ?? lru ?? ["", ANY_SLOT];
    leases.delete(loser);
    return slot;
  }

  return {
    take(sessionId) {
      if (sessionId === undefined) return { slot: ANY_SLOT, end() {} };
      const slot = slotFor(sessionId);
      leases.delete(sessionId);
      leases.set(sessionId, slot);
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
