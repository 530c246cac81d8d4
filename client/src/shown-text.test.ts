import { describe, expect, test } from "vitest";
import { createShownTexts, type ShownEvent, type ShownText, type TextChange } from "./shown-text.ts";

/** `x = ` with the cursor at its end, and `total(a)` shown there since time 0. */
function showing(changed: Partial<ShownText> = {}) {
  const events: ShownEvent[] = [];
  const shown = createShownTexts((event) => events.push(event));
  const text: ShownText = {
    ...{ requestId: "r1", languageId: "python", document: "a.py" },
    ...{ start: 4, cursor: 4, text: "total(a)", selected: 0, latencyMs: 40, others: [] },
    ...changed,
  };
  shown.offer(text, 0);
  return {
    events: () => events.map(({ requestId, languageId, ...event }) => event),
    offer: (more: Partial<ShownText>, at = 0) => shown.offer({ ...text, ...more }, at),
    change: (offset: number, inserted: string, at = 1_000, changed: Partial<TextChange> = {}) =>
      shown.changed({ document: "a.py", offset, length: 0, text: inserted, ...changed }, at),
    move: (offset: number, at = 1_000) => shown.moved({ document: "a.py", offset }, at),
    leave: (at = 1_000) => shown.moved(undefined, at),
  };
}

const wasShown = { event: "shown", chars: 8, latencyMs: 40 };

test("all of it at once is accepted", () => {
  const { change, events } = showing();
  expect(change(4, "total(a)", 700)).toBe("accepted");
  expect(events()).toEqual([wasShown, { event: "accepted", chars: 8, visibleMs: 700 }]);
});

test("another text of the same answer takes the place of its preview, which nobody turned down", () => {
  const { offer, change, events } = showing();
  offer({ text: "top()" }, 400);
  expect(change(4, "top()", 700)).toBe("accepted");
  expect(events()).toEqual([
    { event: "shown", chars: 5, latencyMs: 40 },
    { event: "accepted", chars: 5, visibleMs: 700 },
  ]);
});

test("what was accepted sooner than one can read was shown all the same", () => {
  const { change, events } = showing();
  change(4, "total(a)", 100);
  expect(events()).toEqual([wasShown, { event: "accepted", chars: 8, visibleMs: 100 }]);
});

test("a word is a part, and the parts add up", () => {
  const { change, events } = showing();
  expect([change(4, "total", 500), change(9, "(a)", 900)]).toEqual(["partial", "accepted"]);
  expect(events()).toEqual([
    wasShown,
    { event: "partial", chars: 5, visibleMs: 500 },
    { event: "accepted", chars: 8, visibleMs: 900 },
  ]);
});

test("lines with Windows ends are parts, too", () => {
  const { change, events } = showing({ text: "a()\r\nb()\r\nc()" });
  expect([change(4, "a()\r\nb()", 500), change(12, "\r\nc()", 900)]).toEqual(["partial", "accepted"]);
  expect(events().slice(1)).toEqual([
    { event: "partial", chars: 8, visibleMs: 500 },
    { event: "accepted", chars: 13, visibleMs: 900 },
  ]);
});

test.each(["\n    ", "\r\n    "])("a line that begins with its indentation (%j) is a key", (key) => {
  const { change, events } = showing({ text: `${key}return a` });
  expect([change(4, key, 400), change(4 + key.length, "return a", 500)]).toEqual(["typed", "accepted"]);
  expect(events()).toMatchObject([{ event: "shown" }, { event: "accepted", chars: 8 }]);
});

test("typing it is neither accepting nor rejecting it", () => {
  const { change, events } = showing({ text: "to" });
  expect([change(4, "t"), change(5, "o")]).toEqual(["typed", "typed"]);
  expect(events()).toEqual([{ ...wasShown, chars: 2 }]);
});

describe("typed on, it is still the same", () => {
  test("when the editor is told the rest", () => {
    const { change, offer, events } = showing();
    change(4, "t", 100);
    offer({ start: 5, cursor: 5, text: "otal(a)" }, 150);
    expect(change(5, "otal(a)", 400)).toBe("accepted");
    expect(events()).toEqual([wasShown, { event: "accepted", chars: 7, visibleMs: 400 }]);
  });

  test("when the editor puts in the item that began further left", () => {
    const { change, offer, events } = showing();
    change(4, "t", 100);
    offer({ start: 5, cursor: 5, text: "otal(a)" }, 150);
    expect(change(4, "total(a)", 400, { length: 1 })).toBe("accepted");
    expect(events()).toEqual([wasShown, { event: "accepted", chars: 7, visibleMs: 400 }]);
  });

  test("when a bracket comes with its partner", () => {
    const { change, offer, events } = showing({ text: "(a) + 1" });
    expect(change(4, "()", 100)).toBe("typed");
    offer({ start: 5, cursor: 5, text: "a) + 1" }, 150);
    expect(change(5, "a) + 1", 400, { length: 1 })).toBe("accepted");
    expect(events()).toMatchObject([{ event: "shown" }, { event: "accepted", chars: 6 }]);
  });

  test("when a key is taken back", () => {
    const { change, offer, events } = showing();
    change(4, "t", 100);
    change(4, "", 200, { length: 1 });
    offer({}, 250);
    change(4, "total(a)", 400);
    expect(events()).toMatchObject([{ event: "shown" }, { event: "accepted", visibleMs: 400 }]);
  });

  test("when it has grown", () => {
    const { change, offer, events } = showing();
    offer({ text: "total(a)\nreturn x" }, 200);
    expect(change(4, "total(a)\nreturn x", 400)).toBe("accepted");
    expect(events()).toMatchObject([
      { event: "shown", chars: 17 },
      { event: "accepted", chars: 17 },
    ]);
  });

  test("when something above it changes", () => {
    const { change, events } = showing();
    change(0, "ab", 100, { length: 1 });
    change(20, "ab", 100);
    expect(change(5, "total(a)", 400)).toBe("accepted");
    expect(events()).toHaveLength(2);
  });
});

test("another one that was shown instead is accepted in its own name", () => {
  const events: ShownEvent[] = [];
  const shown = createShownTexts((event) => events.push(event));
  const about = { languageId: "python", document: "a.py", start: 4, cursor: 4, selected: 0, latencyMs: 40 };
  const others = [{ requestId: "r2", text: "sum(lines)" }];
  shown.offer({ ...about, requestId: "r1", text: "total(a)", others }, 0);
  expect(shown.changed({ document: "a.py", offset: 4, length: 0, text: "sum(lines)" }, 500)).toBe("accepted");
  expect(events).toMatchObject([
    { event: "shown", requestId: "r2", chars: 10 },
    { event: "accepted", requestId: "r2", chars: 10 },
  ]);
});

describe("with the suggest widget open", () => {
  const selected = { start: 0, cursor: 2, text: "total(a)", selected: 5 };

  test("taking the widget's item is typing, and the rest is accepted after it", () => {
    const { change, events } = showing(selected);
    expect([change(0, "total", 400, { length: 2 }), change(5, "(a)", 500)]).toEqual(["typed", "accepted"]);
    expect(events()).toEqual([
      { ...wasShown, chars: 3 },
      { event: "accepted", chars: 3, visibleMs: 500 },
    ]);
  });

  test("taking both at once counts what is not the widget's", () => {
    const { change, events } = showing(selected);
    expect(change(0, "total(a)", 400, { length: 2 })).toBe("accepted");
    expect(events()[1]).toEqual({ event: "accepted", chars: 3, visibleMs: 400 });
  });
});

describe("rejected, when it was seen", () => {
  const rejected = [wasShown, { event: "rejected", visibleMs: 1_000 }];

  test("by another key", () => {
    const { change, events } = showing();
    expect(change(4, "s")).toBe("other");
    expect(events()).toEqual(rejected);
  });

  test("by moving the cursor, and not by staying", () => {
    const { move, events } = showing();
    move(4);
    expect(events()).toEqual([]);
    move(3);
    expect(events()).toEqual(rejected);
  });

  test("by leaving the editor", () => {
    const { leave, events } = showing();
    leave();
    expect(events()).toEqual(rejected);
  });

  test("by what the editor shows instead", () => {
    const { offer, events } = showing();
    offer({ requestId: "r2" }, 1_000);
    expect(events()).toEqual(rejected);
  });

  test("not when it was gone before it could be read", () => {
    const { change, events } = showing();
    change(4, "s", 299);
    expect(events()).toEqual([]);
  });

  test("not when a part was accepted", () => {
    const { change, leave, events } = showing();
    change(4, "total");
    leave();
    expect(events()).toMatchObject([{ event: "shown" }, { event: "partial" }]);
  });
});

test("changes of other documents say nothing", () => {
  const { change, events } = showing();
  expect(change(4, "s", 1_000, { document: "b.py" })).toBe("other");
  expect(events()).toEqual([]);
});
