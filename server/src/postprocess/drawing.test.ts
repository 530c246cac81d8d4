import { describe, expect, test } from "vitest";
import { createDrawing } from "./drawing.ts";
import { type Postprocessed, postprocess } from "./postprocess.ts";

const ok = (text: string): Postprocessed => ({ text, reason: "ok" });
const dropped: Postprocessed = { text: "", reason: "repetition" };
const asWritten = (lines: string) => ok(lines.trimEnd());

test("draws each line once it is done", () => {
  const drawing = createDrawing();
  const drawn = ["a(", "a();", "a();\n", "a();\n  b", "a();\n  b();\n"].map((text) =>
    drawing.grow(text, asWritten),
  );
  expect(drawn).toEqual(["", "", "a();", "", "\n  b();"]);
  expect(drawing.end(ok("a();\n  b();\n  c();"))).toEqual({
    shown: ok("a();\n  b();\n  c();"),
    rest: "\n  c();",
  });
});

describe("what was drawn stays when the whole text would", () => {
  test.each<[string, Postprocessed]>([
    ["be dropped", dropped],
    ["be cut before it", ok("a")],
    ["be another", ok("b();")],
  ])("%s", (_, last) => {
    const drawing = createDrawing();
    expect(drawing.grow("a();\n", asWritten)).toBe("a();");
    expect(drawing.end(last)).toEqual({ shown: ok("a();"), rest: "" });
  });
});

test("draws nothing of a line that would be dropped, and all of it with the next", () => {
  const drawing = createDrawing();
  expect(drawing.grow("a(\n", () => dropped)).toBe("");
  expect(drawing.grow("a(\n)\n", asWritten)).toBe("a(\n)");
});

test("shows why nothing is shown", () => {
  expect(createDrawing().end(dropped)).toEqual({ shown: dropped, rest: "" });
});

test("whatever is written, each drawing is the start of the next, and safe to accept by itself", () => {
  const context = {
    request: { path: "a.ts", languageId: "typescript", prefix: "function f() {\n", suffix: "\n}\n" },
    stop: ["<|endoftext|>"],
  };
  const middle =
    "  if (a) {\n    b();\n  }\n  return c;\n}\n\nfunction g() {\n  return '<|endoftext|>';\n}\n}\n}\n";
  for (let cut = 0; cut <= middle.length; cut++) {
    const drawing = createDrawing();
    let drawn = "";
    for (let at = 0; at <= cut; at++)
      drawn += drawing.grow(middle.slice(0, at), (lines) => postprocess(lines, context));
    const { shown, rest } = drawing.end(postprocess(middle.slice(0, cut), context));
    expect(shown.text).toBe(drawn + rest);
    expect(postprocess(shown.text, context).text).toBe(shown.text);
  }
});
