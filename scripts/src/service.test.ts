import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { identify, isAlive } from "./process-id.ts";
import { type Service, startService } from "./service.ts";

/** A process that writes its pid into `pid` and then runs `script`. */
function scripted(dir: string, script: string, more: Partial<Service> = {}): Service {
  const file = join(dir, "script.mjs");
  const pidFile = join(dir, "pid");
  writeFileSync(
    file,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${script}`,
  );
  return {
    name: "scripted",
    args: [file],
    env: process.env,
    logFile: join(dir, "logs", "scripted.log"),
    graceMs: 5000,
    ready: async () => existsSync(pidFile),
    ...more,
  };
}

const STAY = "setInterval(() => {}, 1000);";
const pidIn = (dir: string) => Number(readFileSync(join(dir, "pid"), "utf8"));

function collect() {
  const told: string[] = [];
  const pids: number[] = [];
  let givenUp = false;
  return {
    told,
    pids,
    isGivenUp: () => givenUp,
    deps: {
      record: { add: (_: string, pid: number) => pids.push(pid), remove() {} },
      tell: (line: string) => told.push(line),
      onGivenUp: () => {
        givenUp = true;
      },
    },
  };
}

const never = new AbortController().signal;

test("a service that stops on SIGTERM is gone when stop returns", async () => {
  using temp = tempDir();
  const { deps, pids } = collect();
  const stop = await startService(scripted(temp.dir, STAY), deps, never);
  const process = identify(pidIn(temp.dir));
  expect(pids).toEqual([process.pid]);
  expect(isAlive(process)).toBe(true);
  await stop();
  expect(isAlive(process)).toBe(false);
});

test("a service that ignores SIGTERM is killed when its time is over", async () => {
  using temp = tempDir();
  const { deps } = collect();
  const script = `process.on("SIGTERM", () => {}); ${STAY}`;
  const stop = await startService(scripted(temp.dir, script, { graceMs: 200 }), deps, never);
  const process = identify(pidIn(temp.dir));
  await stop();
  expect(isAlive(process)).toBe(false);
});

test("a service that dies is started again, and its last log lines are told", async () => {
  using temp = tempDir();
  const { deps, told, pids } = collect();
  const stop = await startService(scripted(temp.dir, `console.log("last words"); ${STAY}`), deps, never);
  await expect
    .poll(() => readFileSync(join(temp.dir, "logs", "scripted.log"), "utf8"))
    .toContain("last words");
  process.kill(pidIn(temp.dir), "SIGKILL");
  await expect.poll(() => pids.length, { timeout: 10_000 }).toBe(2);
  await expect.poll(() => told.length).toBe(2);
  expect(told[1]).toBe("scripted runs again");
  expect(told[0]).toContain("scripted died (SIGKILL)");
  expect(told[0]).toContain("| last words");
  await expect.poll(() => pidIn(temp.dir)).toBe(pids[1]);
  await stop();
  expect(pids.map(identify).some(isAlive)).toBe(false);
});

test("a service that ends before it is ready fails the start with its log", async () => {
  using temp = tempDir();
  const { deps } = collect();
  const service = scripted(temp.dir, `console.error("bad settings: X"); process.exit(3);`, {
    ready: async () => false,
  });
  await expect(startService(service, deps, never)).rejects.toThrow(
    /scripted ended at once \(exit code 3\).*\n {2}\| bad settings: X/s,
  );
});

test("a service is ended when the start is given up before it is ready", async () => {
  using temp = tempDir();
  const { deps, pids } = collect();
  const giveUp = new AbortController();
  const starting = startService(scripted(temp.dir, STAY, { ready: async () => false }), deps, giveUp.signal);
  await expect.poll(() => existsSync(join(temp.dir, "pid"))).toBe(true);
  const process = identify(pids[0]!);
  giveUp.abort();
  await expect(starting).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(isAlive(process)).toBe(false);
});

test("a stop during the pause before a restart starts nothing", async () => {
  using temp = tempDir();
  const { deps, told, pids } = collect();
  const stop = await startService(scripted(temp.dir, STAY), deps, never);
  process.kill(pidIn(temp.dir), "SIGKILL");
  await expect.poll(() => told.length).toBe(1);
  await stop();
  // Longer than the pause of the first restart.
  await sleep(1200);
  expect(pids).toHaveLength(1);
});
