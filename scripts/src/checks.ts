/** What would otherwise fail later and less clearly. Each throws a {@link StartProblem} that says what to do. */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describeError } from "@dhi/core/upstream-error";
import { StartProblem } from "./start-problem.ts";

export function checkWorkspace(dir: string): void {
  const stat = statSync(dir, { throwIfNoEntry: false });
  if (!stat) throw new StartProblem(`${dir} does not exist; name a folder of code: --workspace DIR`);
  if (!stat.isDirectory())
    throw new StartProblem(`${dir} is not a folder; name the folder of code: --workspace DIR`);
  try {
    accessSync(dir, constants.R_OK | constants.X_OK);
  } catch {
    throw new StartProblem(`${dir} may not be read by this user; change its rights or name another folder`);
  }
}

/** Makes the folder when it is missing. */
export function checkHome(dir: string): void {
  const probe = join(dir, `.probe-${process.pid}`);
  try {
    makeFolder(dir);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw new StartProblem(
      `${dir} cannot be written (${describeError(error)}); set DHI_HOME to a folder that can`,
    );
  }
}

export async function checkPort(port: number, host: string): Promise<void> {
  const problem = await tryToListen(port, host);
  if (problem === "EADDRINUSE")
    throw new StartProblem(
      `port ${port} is taken by another program; stop that, or take another port: --port ${port < 65_535 ? port + 1 : 8000}`,
    );
  if (problem)
    throw new StartProblem(`cannot listen on ${host}:${port} (${problem}); take another port: --port 8001`);
}

/** @returns git's version, or `undefined` when there is no git */
export function gitVersion(): Promise<string | undefined> {
  return new Promise((done) =>
    execFile("git", ["--version"], (error, out) => done(error ? undefined : out.trim())),
  );
}

/** A port of 127.0.0.1 on which nothing listens right now. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((done, fail) => {
    server.once("error", fail).listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => done(port));
    });
  });
}

/** One by one: with `recursive`, Node never returns where no folder can be made although the parent exists (/proc). */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir));
  mkdirSync(dir);
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  return new Promise((done) => {
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(undefined)));
  });
}
