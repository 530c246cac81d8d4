import { expect, test } from "vitest";
import { deferred } from "../testing/deferred.ts";
import { createQueue } from "./queue.ts";

const live = () => new AbortController().signal;

/** A task that says when it begins, and ends when told. */
function fakeTask(name: string, begun: string[]) {
  const { promise, resolve } = deferred<string>();
  return {
    run: () => {
      begun.push(name);
      return promise;
    },
    end: () => resolve(name),
  };
}

test("runs as many at once as there are slots", async () => {
  const queue = createQueue({ slots: () => 2 });
  const begun: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((name) => fakeTask(name, begun)) as [Task, Task, Task];
  const all = [a, b, c].map(({ run }, i) => queue.run(String(i), run, live()));
  await expect.poll(() => begun).toEqual(["a", "b"]);
  expect({ running: queue.running, waiting: queue.waiting }).toEqual({ running: 2, waiting: 1 });
  b.end();
  await expect.poll(() => begun).toEqual(["a", "b", "c"]);
  a.end();
  c.end();
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  expect({ running: queue.running, waiting: queue.waiting }).toEqual({ running: 0, waiting: 0 });
});
type Task = ReturnType<typeof fakeTask>;

test("sessions take turns", async () => {
  const queue = createQueue({ slots: () => 1 });
  const order: string[] = [];
  const ask = (session: string, name: string) => queue.run(session, async () => order.push(name), live());
  await Promise.all([
    ask("a", "a1"),
    ask("a", "a2"),
    ask("a", "a3"),
    ask("b", "b1"),
    ask("c", "c1"),
    ask("b", "b2"),
  ]);
  expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("what is no longer wanted never runs, and holds up nobody", async () => {
  const queue = createQueue({ slots: () => 1 });
  const begun: string[] = [];
  const first = fakeTask("first", begun);
  const abort = new AbortController();
  const running = queue.run("a", first.run, live());
  const unwanted = queue.run("b", fakeTask("unwanted", begun).run, abort.signal);
  const last = queue.run("c", async () => begun.push("last"), live());
  abort.abort();
  await expect(unwanted).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  first.end();
  await Promise.all([running, last]);
  expect(begun).toEqual(["first", "last"]);
});

test("a task that fails gives its slot back", async () => {
  const queue = createQueue({ slots: () => 1 });
  await expect(queue.run("a", async () => Promise.reject(new Error("no")), live())).rejects.toThrow("no");
  expect(await queue.run("a", async () => 1, live())).toBe(1);
});

test("says when somebody has to wait", async () => {
  const waits: number[] = [];
  const queue = createQueue({ slots: () => 1, onWait: () => waits.push(1) });
  const task = fakeTask("a", []);
  const running = queue.run("a", task.run, live());
  expect(waits).toEqual([]);
  const waiting = queue.run("b", async () => {}, live());
  expect(waits).toEqual([1]);
  task.end();
  await Promise.all([running, waiting]);
});
