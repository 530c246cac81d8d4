/** Files that a real repository has and a fixture has not: what is left out, what is long, what is large. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** More than an answer about files that are left out holds. */
export const PICTURES = 205;
export const LONG_PATH = `${"a-folder-with-a-long-name/".repeat(7)}a-file-whose-name-alone-is-wider-than-the-tree.service.spec.py`;
/** Lines of a file that is no larger than what is indexed. */
export const HUGE = { path: "huge.py", lines: 9_000 };

export function addOddFiles(dir) {
  const write = (path, content) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  for (let i = 0; i < PICTURES; i++) write(`pictures/${i}.png`, Buffer.from([0x89, 0x50, 0, 0, i]));
  write("dist/shop.min.js", `${"a(b);".repeat(2_000)}\n`);
  write(LONG_PATH, "def far_below():\n    return 1\n");
  write("empty.py", "");
  write(HUGE.path, Array.from({ length: HUGE.lines }, (_, i) => `value_${i} = ${i}\n`).join(""));
}
