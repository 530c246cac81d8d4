import { expect, test } from "vitest";
import { ANY_SLOT, createSlotLeases } from "./slot-leases.ts";

/** @returns the slots that calls get which follow each other; each call is a session and a file, `a1` */
function inTurn(slots: number, calls: readonly string[]): number[] {
  const leases = createSlotLeases(slots);
  return calls.map((call) => {
    const [session = "", file = ""] = call;
    const lease = leases.take(session, file);
    lease.end();
    return lease.slot;
  });
}

test.each([
  ["a session keeps its slot", 3, ["a1", "b1", "a1", "b1"], [0, 1, 0, 1]],
  ["a session has one for each file while there are some", 3, ["a1", "a2", "a1", "b1"], [0, 1, 0, 2]],
  ["a session gives up its own before another's", 2, ["a1", "b1", "b2", "a1", "b2"], [0, 1, 1, 0, 1]],
  ["of its own it gives up the oldest", 2, ["a1", "a2", "a1", "a3", "a1"], [0, 1, 0, 1, 0]],
  ["a new session gets what another has twice", 3, ["b1", "a1", "a2", "c1", "b1"], [0, 1, 2, 1, 0]],
  ["one session too many gets what was used longest ago", 2, ["a1", "b1", "a1", "c1"], [0, 1, 0, 1]],
  ["who lost a slot gets another one when it comes back", 2, ["a1", "b1", "c1", "a1"], [0, 1, 0, 1]],
  ["one slot serves all", 1, ["a1", "b1", "a2"], [0, 0, 0]],
])("%s", (_, slots, calls, expected) => {
  expect(inTurn(slots, calls)).toEqual(expected);
});

test("without a session the server chooses, and no slot is taken", () => {
  const leases = createSlotLeases(1);
  expect(leases.take(undefined, "1").slot).toBe(ANY_SLOT);
  expect(leases.take("a", "1").slot).toBe(0);
});

test("a slot whose call is still going on is the last to be taken over", () => {
  const leases = createSlotLeases(2);
  const busy = leases.take("a", "1");
  leases.take("b", "1").end();
  expect(leases.take("c", "1").slot).toBe(1);
  busy.end();
  busy.end();
  expect(leases.take("d", "1").slot).toBe(0);
});

test("with all slots at work the one used longest ago is shared", () => {
  const leases = createSlotLeases(2);
  leases.take("a", "1");
  leases.take("b", "1");
  expect(leases.take("c", "1").slot).toBe(0);
});
