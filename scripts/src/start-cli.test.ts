/** `npm start` as a user types it: what is wrong is said in one line, before anything is started. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { checkHome, checkPort, checkWorkspace } from "./checks.ts";

const startFile = fileURLToPath(new URL("../start.mjs", import.meta.url));
const run = (...args: string[]) => spawnSync(process.execPath, [startFile, ...args], { encoding: "utf8" });

test.each([
  [["--bogus"], "Unknown option '--bogus' (npm start -- --help lists what there is)\n"],
  [["src"], "Unexpected argument 'src' (npm start -- --help lists what there is)\n"],
  [
    ["--port", "0"],
    '--port wants a number from 1 to 65535, not "0" (npm start -- --help lists what there is)\n',
  ],
  [
    ["--engine", "gpt"],
    '--engine wants auto, ollama, llama-server, openai, instant, not "gpt" (npm start -- --help lists what there is)\n',
  ],
  [["--workspace="], "--workspace wants a folder (npm start -- --help lists what there is)\n"],
  [
    ["--workspace", "a", "--workspace="],
    "--workspace wants a folder (npm start -- --help lists what there is)\n",
  ],
])("refuses %j in one line", (args, line) => {
  expect(run(...args)).toMatchObject({ status: 2, stderr: line, stdout: "" });
});

test("--workspace may be given several times", () => {
  const flagsFile = new URL("../start-flags.mjs", import.meta.url).href;
  const script = `import { parseFlags } from "${flagsFile}";
    console.log(JSON.stringify(parseFlags(["--workspace", "/a", "--workspace", "/b"])));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual({ workspaces: ["/a", "/b"] });
});

test("--help lists the flags", () => {
  const { status, stdout } = run("--help");
  expect(status).toBe(0);
  for (const flag of ["--workspace DIR", "--port N", "--engine NAME"]) expect(stdout).toContain(flag);
});

test("a workspace must be a folder that exists", () => {
  using temp = tempDir();
  const file = join(temp.dir, "file");
  writeFileSync(file, "");
  expect(() => checkWorkspace(join(temp.dir, "none"))).toThrow(`${temp.dir}/none does not exist`);
  expect(() => checkWorkspace(file)).toThrow(`${file} is not a folder`);
  checkWorkspace(temp.dir);
});

test("DHI_HOME is made when it is missing, and must be writable", () => {
  using temp = tempDir();
  checkHome(join(temp.dir, "a", "b"));
  // A file where a folder should be stops root too, whom permissions do not.
  mkdirSync(join(temp.dir, "c"));
  writeFileSync(join(temp.dir, "c", "file"), "");
  expect(() => checkHome(join(temp.dir, "c", "file", "home"))).toThrow(/cannot be written .*; set DHI_HOME/);
});

test.runIf(process.platform === "linux")("a DHI_HOME where no folder can be made is refused at once", () => {
  expect(() => checkHome("/proc/dhi")).toThrow(/cannot be written .*; set DHI_HOME/);
});

test("a taken port is named, with another one to take", async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await expect(checkPort(port, "127.0.0.1")).rejects.toThrow(
    `port ${port} is taken by another program; stop that, or take another port: --port`,
  );
  await new Promise((done) => server.close(done));
  await checkPort(port, "127.0.0.1");
});
