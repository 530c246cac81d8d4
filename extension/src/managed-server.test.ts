// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as VS Code's own settings write it

import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { createManagedServer, filledIn } from "./managed-server.ts";

function setUp(stopMs?: number) {
  const lines: string[] = [];
  const ends: string[] = [];
  const server = createManagedServer({
    onLine: (line) => lines.push(line),
    onEnd: (how) => ends.push(how),
    ...(stopMs !== undefined && { stopMs }),
  });
  onTestFinished(() => server.stop());
  const start = (script: string, directory?: string) =>
    server.start({ command: [process.execPath, "-e", script], directory });
  return { server, start, lines, ends };
}

const WAITS = "setInterval(() => {}, 1000);";

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("its lines are told, those of both streams, and that it ended", async () => {
  const { start, server, lines, ends } = setUp();
  await start(
    "console.log('one\\ntwo'); console.error('three'); process.stdout.write('four'); process.exitCode = 3",
  );
  await expect.poll(() => ends).toEqual(["exit status 3"]);
  expect(lines.toSorted()).toEqual(["four", "one", "three", "two"]);
  expect(server.isRunning()).toBe(false);
});

test("it runs in the directory that is asked for", async () => {
  const { start, lines } = setUp();
  const directory = realpathSync(tmpdir());
  await start("console.log(process.cwd())", directory);
  await expect.poll(() => lines).toEqual([directory]);
});

test("variables before the program are its environment, beside what there is", async () => {
  const { server, lines } = setUp();
  const script = "console.log(process.env.WORKSPACE, process.env.EMPTY === '', 'PATH' in process.env)";
  await server.start({
    command: ["WORKSPACE=/a=b", "EMPTY=", process.execPath, "-e", script],
    directory: undefined,
  });
  await expect.poll(() => lines).toEqual(["/a=b true true"]);
});

test("stopping it stops what it started, too", async () => {
  const { start, server, lines, ends } = setUp();
  await start(
    `const { spawn } = require("child_process"); console.log(spawn(process.execPath, ["-e", "${WAITS}"]).pid); ${WAITS}`,
  );
  await expect.poll(() => lines.length).toBe(1);
  const child = Number(lines[0]);
  expect(isAlive(child)).toBe(true);
  await server.stop();
  expect(ends).toEqual(["SIGTERM"]);
  await expect.poll(() => isAlive(child)).toBe(false);
});

test("one that ignores being asked is killed", async () => {
  const { start, server, lines, ends } = setUp(50);
  await start(`process.on("SIGTERM", () => {}); console.log("up"); ${WAITS}`);
  await expect.poll(() => lines).toEqual(["up"]);
  await server.stop();
  expect(ends).toEqual(["SIGKILL"]);
});

test("a program of a group of its own that goes on with its output does not hold the end up", async () => {
  const { start, server, lines, ends } = setUp(50);
  await start(
    `const { spawn } = require("child_process"); const child = spawn(process.execPath, ["-e", "${WAITS}"], ` +
      `{ detached: true, stdio: "inherit" }); child.unref(); console.log(child.pid)`,
  );
  await expect.poll(() => lines.length).toBe(1);
  onTestFinished(() => void process.kill(Number(lines[0])));
  await server.stop();
  expect([server.isRunning(), ends.length]).toEqual([false, 1]);
});

test("it is started once", async () => {
  const { start, server, lines } = setUp();
  await start(`console.log("up"); ${WAITS}`);
  await start(`console.log("again"); ${WAITS}`);
  await expect.poll(() => lines.length).toBe(1);
  expect(server.isRunning()).toBe(true);
  await server.stop();
  expect(lines).toEqual(["up"]);
});

test("a program that is not there is told, and another can be started", async () => {
  const { start, server, ends } = setUp();
  await expect(server.start({ command: ["/nowhere/dhi"], directory: undefined })).rejects.toThrow("ENOENT");
  expect([server.isRunning(), ends]).toEqual([false, []]);
  await start("0");
  await vi.waitFor(() => expect(ends).toEqual(["exit status 0"]));
});

test("the open folder is filled in, and nothing else is read as code", () => {
  expect(filledIn(["npm", "start", "--workspace", "${workspaceFolder}/a;b"], "/c d")).toEqual([
    ...["npm", "start", "--workspace", "/c d/a;b"],
  ]);
  expect(filledIn(["dhi", "${workspaceFolder}"], undefined)).toBeUndefined();
  expect(filledIn(["dhi", "$(rm)"], undefined)).toEqual(["dhi", "$(rm)"]);
});
