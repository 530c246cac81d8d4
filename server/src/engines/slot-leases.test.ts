import { expect, test } from "vitest";
import { ANY_SLOT, createSlotLeases } from "./slot-leases.ts";

/** @returns the slots that sessions get whose calls follow each other */
function inTurn(slots: number, sessions: readonly (string | undefined)[]): number[] {
  const leases = createSlotLeases(slots);
  return sessions.map((session) => {
    const lease = leases.take(session);
    lease.end();
    return lease.slot;
  });
}

test.each([
  ["a session keeps its slot", 3, ["a", "b", "a", "b"], [0, 1, 0, 1]],
  ["one too many gets the slot that was used longest ago", 2, ["a", "b", "a", "c"], [0, 1, 0, 1]],
  ["who lost a slot gets another one when it comes back", 2, ["a", "b", "c", "a"], [0, 1, 0, 1]],
  ["one slot serves all", 1, ["a", "b"], [0, 0]],
  ["without a session the server chooses, and no slot is taken", 2, [undefined, "a"], [ANY_SLOT, 0]],
])("%s", (_, slots, sessions, expected) => {
  expect(inTurn(slots, sessions)).toEqual(expected);
});

test("a slot whose call is still going on is the last to be taken over", () => {
  const leases = createSlotLeases(2);
  const busy = leases.take("a");
  leases.take("b").end();
  expect(leases.take("c").slot).toBe(1);
  busy.end();
  busy.end();
  expect(leases.take("d").slot).toBe(0);
});

test("with all slots at work the one used longest ago is shared", () => {
  const leases = createSlotLeases(2);
  leases.take("a");
  leases.take("b");
  expect(leases.take("c").slot).toBe(0);
});
