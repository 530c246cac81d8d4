import { expect, test } from "vitest";
import { createTurns, type Turns } from "./turns.ts";

/** Each owner asks for its next piece when it has the one before. @returns the owners, in the order of their work */
async function orderOf(turns: Turns, owners: readonly string[], pieces = 3): Promise<string> {
  const order: string[] = [];
  const work = async (owner: string) => void order.push(owner);
  await Promise.all(
    owners.map(async (owner) => {
      for (let i = 0; i < pieces; i++) await turns.run(owner, () => work(owner));
    }),
  );
  return order.join("");
}

test("who asks again goes on before those who wait", async () => {
  expect(await orderOf(createTurns({ turnMs: 10_000, graceMs: 50 }), ["a", "b", "c"])).toBe("aaabbbccc");
});

test("when its time is up, the others come first", async () => {
  expect(await orderOf(createTurns({ turnMs: 0, graceMs: 10_000 }), ["a", "b"])).toBe("ababab");
  expect(await orderOf(createTurns({ turnMs: 0, graceMs: 10_000 }), ["a"])).toBe("aaa");
});

test("one piece at a time, and one that fails ends nothing", async () => {
  const turns = createTurns({ turnMs: 10_000, graceMs: 0 });
  let running = 0;
  const work = async () => {
    expect(++running).toBe(1);
    await new Promise(setImmediate);
    running--;
  };
  const failed = turns.run("a", async () => {
    throw new Error("no");
  });
  const rest = ["a", "b", "a", "b"].map((owner) => turns.run(owner, work));
  await expect(failed).rejects.toThrow("no");
  await Promise.all(rest);
});
