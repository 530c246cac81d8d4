import { expect, test } from "vitest";
import { sampleEdit } from "./sample-edit.ts";

const applied = (text: string) => {
  const edit = sampleEdit(text);
  return edit && text.slice(0, edit.at) + edit.text + text.slice(edit.at);
};

test("begins a line from the middle of the file again", () => {
  const text = "def a():\n    return one.first(1)\n\ndef b():\n    return two.second(2)\n";
  expect(applied(text)).toBe(
    "def a():\n    return one.first(1)\n\ndef b():\n    return two.second(2)\n    return two.sec\n",
  );
});

test("takes an earlier line when the second half has none, and leaves CRLF alone", () => {
  const text = "class A:\r\n  self.total = 1\r\n# the rest.of it is talk\r\n# and.more talk here\r\n";
  expect(applied(text)).toBe(
    "class A:\r\n  self.total = 1\n  self.tot\r\n# the rest.of it is talk\r\n# and.more talk here\r\n",
  );
});

test.each(["", "x = 1\n", "    import os.path\n    // see a.long story\n", "    a.b\n"])(
  "finds nothing in %j",
  (text) => {
    expect(sampleEdit(text)).toBeUndefined();
  },
);
