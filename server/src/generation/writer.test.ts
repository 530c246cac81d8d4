import { atCursor } from "@dhi/core/testing/at-cursor";
import { beforeEach, describe, expect, test } from "vitest";
import type { Generated } from "../engines/engine.ts";
import { deferred } from "../testing/deferred.ts";
import { createGenerations } from "./generations.ts";
import { createWriter, type WriteOrder } from "./writer.ts";

const live = () => new AbortController().signal;
const generatedOf = (text: string): Generated => ({
  ...{ text, finish: "stop", meanLogprob: null, confidence: null, firstTokenMs: 1 },
  usage: { promptTokens: null, cachedTokens: null, completionTokens: null },
});

/** An engine that counts its calls and writes when told to. */
interface Call {
  write(piece: string): void;
  end(): void;
  aborted: boolean;
}
let calls: Call[];
let writer: ReturnType<typeof createWriter<string>>;
beforeEach(() => {
  calls = [];
  writer = createWriter(createGenerations<string>());
});

const fakeCall: WriteOrder<string>["call"] = (onText, signal) => {
  const { promise, resolve, reject } = deferred<Generated>();
  let text = "";
  const call: Call = {
    aborted: false,
    write(piece) {
      text += piece;
      onText(piece);
    },
    end: () => resolve(generatedOf(text)),
  };
  signal.addEventListener("abort", () => {
    call.aborted = true;
    reject(signal.reason);
  });
  calls.push(call);
  return promise;
};
const firstLine = (text: string) => text.includes("\n");
const order = (source: string, more: Partial<WriteOrder<string>> = {}): WriteOrder<string> => ({
  ...{
    place: { scope: "a.ts", oneLine: false, ...atCursor(source) },
    session: "s",
    about: source,
    call: fakeCall,
  },
  ...{ enough: firstLine, mayGoOn: () => true, takeOver() {} },
  ...more,
});

describe("typing out what was suggested", () => {
  test("needs one call", async () => {
    const first = writer.write(order("x = █"), live());
    calls[0]?.write("sum(a)\ny = 1\n");
    calls[0]?.end();
    expect(await first).toMatchObject({ text: "sum(a)\ny = 1\n", reuse: "none", about: "x = █" });
    for (const typed of ["s", "su", "sum(", "sum(a", "sum(a)"]) {
      const next = await writer.write(order(`x = ${typed}█`), live());
      expect(next).toMatchObject({
        text: `sum(a)\ny = 1\n`.slice(typed.length),
        reuse: "cached",
        about: "x = █",
      });
    }
    expect(calls).toHaveLength(1);
  });

  test("while it is being written joins the call, and streams what is left", async () => {
    const older = new AbortController();
    const first = writer.write(order("x = █"), older.signal);
    first.catch(() => {});
    calls[0]?.write("su");
    const pieces: string[] = [];
    const takeOver = () => older.abort();
    const second = writer.write(
      order("x = sum█", { onText: ({ text }) => pieces.push(text), takeOver }),
      live(),
    );
    await expect(first).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    calls[0]?.write("m(");
    calls[0]?.write("a)\n");
    expect(await second).toMatchObject({ text: "(a)\n", reuse: "joined" });
    expect(pieces).toEqual(["(", "(a)\n"]);
    expect(calls.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

test("accepting line after line needs one call", async () => {
  const first = writer.write(order("f() {█"), live());
  calls[0]?.write("\n  a();\n");
  await first;
  calls[0]?.write("  b();\n  c();\n");
  calls[0]?.end();
  const second = await writer.write(order("f() {\n  a();█"), live());
  expect(second).toMatchObject({ text: "\n  b();\n  c();\n" });
  expect(calls).toHaveLength(1);
});

test("typing something else ends the call before the new one begins", async () => {
  const older = new AbortController();
  const first = writer.write(order("x = █"), older.signal);
  calls[0]?.write("sum");
  const second = writer.write(order("x = min█", { takeOver: () => older.abort() }), live());
  expect(calls.map(({ aborted }) => aborted)).toEqual([true, false]);
  calls[1]?.write("(a)\n");
  expect(await second).toMatchObject({ text: "(a)\n", reuse: "none" });
  await expect(first).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});

test("a joined call that turns out to say something else is left for a new one", async () => {
  const older = new AbortController();
  writer.write(order("x = █"), older.signal).catch(() => {});
  calls[0]?.write("m");
  const second = writer.write(order("x = min█", { takeOver: () => older.abort() }), live());
  calls[0]?.write("ax(");
  await expect.poll(() => calls.map(({ aborted }) => aborted)).toEqual([true, false]);
  calls[1]?.write("(a)\n");
  expect(await second).toMatchObject({ text: "(a)\n", reuse: "none" });
});

test("what the engine still writes for nobody ends with the session's next call", async () => {
  const first = writer.write(order("x = █"), live());
  calls[0]?.write("1\ny");
  await first;
  expect(calls[0]?.aborted).toBe(false);
  void writer.write(order("z = █"), live());
  expect(calls.map(({ aborted }) => aborted)).toEqual([true, false]);
});

describe("an answer that is there already", () => {
  const ahead = ({ about, place, session, call, mayGoOn }: WriteOrder<string>) =>
    writer.writeAhead({ about, place, session, call, mayGoOn });
  beforeEach(async () => {
    const first = writer.write(order("x = █"), live());
    calls[0]?.write("sum(a)\n");
    calls[0]?.end();
    await first;
  });

  test("ends what is written ahead for another text", async () => {
    ahead(order("x = max(b)█"));
    expect(await writer.write(order("x = su█"), live())).toMatchObject({ reuse: "cached" });
    expect(calls.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  test("lets what is written ahead of it go on", async () => {
    ahead(order("x = sum(a)\ny█"));
    expect(await writer.write(order("x = su█"), live())).toMatchObject({ reuse: "cached" });
    expect(calls.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  test("lets another session's go on", async () => {
    ahead(order("x = max(b)█", { session: "other" }));
    await writer.write(order("x = su█"), live());
    expect(calls.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});

test("one more answer ends nothing and is written no further than enough", async () => {
  const older = new AbortController();
  const first = writer.write(order("x = █"), older.signal);
  calls[0]?.write("1\ny");
  await first;
  const place = { scope: "a.ts, another", oneLine: false, ...atCursor("x = █") };
  const takeOver = () => older.abort();
  const another = writer.write(order("x = █", { place, isBeside: true, takeOver }), live());
  calls[1]?.write("2\n");
  expect(await another).toMatchObject({ text: "2\n", reuse: "none" });
  expect(older.signal.aborted).toBe(false);
  expect(calls.map(({ aborted }) => aborted)).toEqual([false, true]);
});

test("tells what is written for a place, behind what was typed", async () => {
  const first = writer.write(order("x = █"), live());
  calls[0]?.write("sum(a)\n");
  await first;
  const at = (source: string) => ({ scope: "a.ts", oneLine: false, ...atCursor(source) });
  expect(writer.known(at("x = su█"))).toBe("m(a)\n");
  expect(writer.known(at("x = max█"))).toBeUndefined();
});

test("a block that was cut is written anew", async () => {
  const abort = new AbortController();
  const block = { enough: (text: string) => text.includes("}") };
  const first = writer.write(order("f() {█", block), abort.signal);
  calls[0]?.write("\n  a();\n  b();\n  c");
  abort.abort();
  await expect(first).rejects.toThrow();
  void writer.write(order("f() {█", block), live());
  await expect.poll(() => calls.length).toBe(2);
});

test("nothing is written ahead while others wait for the engine", async () => {
  let waiting = 0;
  const first = writer.write(order("x = █", { mayGoOn: () => waiting === 0 }), live());
  waiting = 1;
  calls[0]?.write("1\ny");
  expect(await first).toMatchObject({ text: "1\ny" });
  expect(calls[0]?.aborted).toBe(true);
});

test("of a call that was cut only whole lines are shown", async () => {
  const abort = new AbortController();
  const first = writer.write(order("x = █", { enough: () => false }), abort.signal);
  calls[0]?.write("sum(a)\ny = 1");
  abort.abort();
  await expect(first).rejects.toThrow();
  expect(await writer.write(order("x = sum█"), live())).toMatchObject({ text: "(a)\n", reuse: "cached" });
  expect(calls).toHaveLength(1);
});

describe("a cursor inside a word", () => {
  /** Its word is tried to be written anew first. */
  const healing = (prefix: string, word: string): WriteOrder<string> => {
    const whole = order(`${prefix}${word}█`);
    return { ...whole, healed: { place: { ...whole.place, prefix }, call: fakeCall } };
  };

  test("gets the rest of a word that the model begins as the user did", async () => {
    const said: string[] = [];
    const asked = { ...healing("x =", " us"), onText: ({ text }: { text: string }) => said.push(text) };
    const written = writer.write(asked, live());
    for (const piece of [" u", "ser", ".name\n"]) calls[0]?.write(piece);
    expect(await written).toMatchObject({ text: "er.name\n", reuse: "none" });
    expect(said).toEqual(["er", "er.name\n"]);
    expect(calls).toHaveLength(1);
  });

  test("is asked for as it is when the model begins another word, which is left at its first letter", async () => {
    const written = writer.write(healing("x =", " us"), live());
    calls[0]?.write(" c");
    await expect.poll(() => calls.map(({ aborted }) => aborted)).toEqual([true, false]);
    calls[1]?.write("er\n");
    expect(await written).toMatchObject({ text: "er\n", reuse: "none" });
    const again = writer.write(healing("x =", " ut"), live());
    calls[2]?.write("ils\n");
    expect(await again).toMatchObject({ text: "ils\n", reuse: "none" });
    expect(calls).toHaveLength(3);
  });

  test("is asked for as it is at once while others wait for the engine", async () => {
    const written = writer.write({ ...healing("x =", " us"), mayGoOn: () => false }, live());
    calls[0]?.write("er\n");
    expect(await written).toMatchObject({ text: "er\n" });
  });

  test("deleted in part, is still answered by the call", async () => {
    const written = writer.write(healing("x =", " us"), live());
    calls[0]?.write(" user\n");
    calls[0]?.end();
    await written;
    expect(await writer.write(order("x = u█"), live())).toMatchObject({ text: "ser\n", reuse: "cached" });
  });
});

test("what is written ahead is there for who comes to that place, and ends with the session's next call", async () => {
  const ahead = order("x = 1█");
  writer.writeAhead(ahead);
  writer.writeAhead(ahead);
  expect(calls).toHaveLength(1);
  calls[0]?.write(";\n");
  expect(await writer.write(order("x = 1█"), live())).toMatchObject({ text: ";\n", reuse: "joined" });
  void writer.write(order("y = █"), live());
  expect(calls.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test("of what is written ahead for a session only the newest goes on", () => {
  writer.writeAhead(order("x = 1█"));
  writer.writeAhead(order("y = 1█"));
  writer.writeAhead(order("z = 1█", { session: "another" }));
  expect(calls.map(({ aborted }) => aborted)).toEqual([true, false, false]);
});

test("nothing is begun ahead while others wait for the engine", () => {
  writer.writeAhead(order("x = 1█", { mayGoOn: () => false }));
  expect(calls).toEqual([]);
});
