import { EventEmitter } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { runScript } from "./run-script.ts";

/** @param code of the script, which knows `file(name)`, a path beside it */
function scriptIn(dir: string, code: string): string {
  const script = join(dir, "script.mjs");
  const head = `import { writeFileSync } from "node:fs"; const file = (name) => ${JSON.stringify(dir)} + "/" + name;`;
  writeFileSync(script, `${head}\n${code}`);
  return script;
}

test("ends as the script does, which gets the arguments", async () => {
  using folder = tempDir();
  expect(await runScript(scriptIn(folder.dir, "process.exit(Number(process.argv[2]));"), ["7"])).toBe(7);
});

test.each(["SIGTERM", "SIGHUP"])("passes %s on to the script and waits for its end", async (signal) => {
  using folder = tempDir();
  const script = scriptIn(
    folder.dir,
    `process.on("${signal}", () => process.exit(5));
     setInterval(() => {}, 1_000);
     writeFileSync(file("ready"), "");`,
  );
  const signals = new EventEmitter();
  const ended = runScript(script, [], signals as NodeJS.Process);
  await expect.poll(() => existsSync(join(folder.dir, "ready")), { timeout: 10_000 }).toBe(true);
  signals.emit(signal, signal);
  expect(await ended).toBe(5);
  expect(signals.eventNames()).toEqual([]);
});
