import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ownCopy } from "./own-copy.ts";

test.each(["", "total();\r\n", "größe", "ПРИВЕТ 🙂", "\ud83d", "\0\xff\u0100"])(
  "has the same characters: %j",
  (text) => {
    expect(ownCopy(text)).toBe(text);
  },
);

test("keeps nothing alive of the text that it was cut from", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const megabytes = () => {
    collect();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const before = megabytes();
  const copies = Array.from({ length: 100 }, (_, i) => ownCopy(`${i}`.padEnd(1_000_000, "ab").slice(0, 100)));
  expect(megabytes() - before).toBeLessThan(50);
  expect(copies[7]?.slice(0, 3)).toBe("7ab");
});
