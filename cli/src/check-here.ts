/** What the shell alone can tell of a set-up whose server does not answer. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Check, DoctorResponse } from "@dhi/core/config-protocol";
import { describeError } from "@dhi/core/upstream-error";
import { holdersOf } from "./port-holder.ts";
import { hasField, type ServerAway } from "./server.ts";

const LEAST_NODE = 20;
const TIMEOUT_MS = 2_000;

/** @param away why the server could not be asked @param url where it should listen */
export async function checkHere(
  away: ServerAway,
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<DoctorResponse> {
  const checks = [
    serverCheck(away),
    ...(await portCheck(url, env)),
    nodeCheck(),
    await programCheck("git", "git", env, "ignore rules and branches are not known without it"),
    await programCheck("docker", "Docker", env, "only docker compose needs it"),
  ];
  return { status: "fail", checks };
}

const serverCheck = ({ message }: ServerAway): Check => ({
  ...{ id: "server", title: "Server", status: "fail", detail: message },
  fix: "npm start, or docker compose up -d; one that listens elsewhere: --server URL",
});

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @returns none for a server on another machine */
async function portCheck(url: string, env: Readonly<Record<string, string | undefined>>): Promise<Check[]> {
  const { hostname, port, protocol } = new URL(url);
  if (!LOOPBACK.test(hostname)) return [];
  const about = { id: "ports", title: "Ports" };
  // Left out of a URL that has its protocol's own.
  const asked = Number(port) || (protocol === "https:" ? 443 : 80);
  const holders = await holdersOf(asked, env);
  if (holders.length === 0)
    return [{ ...about, status: "ok", detail: `nothing is known to listen at ${asked}` }];
  const whom = holders.map(({ program, pid }) => `${program} (pid ${pid})`).join(" and ");
  const fix = `kill ${holders.map(({ pid }) => pid).join(" ")}, or set DHI_PORT to a free port and start Dhi`;
  return [{ ...about, status: "fail", detail: `${asked} belongs to ${whom}`, fix }];
}

function nodeCheck(): Check {
  const major = Number(process.versions.node.split(".")[0]);
  const about = { id: "node", title: "Node.js" };
  if (major >= LEAST_NODE) return { ...about, status: "ok", detail: process.version };
  return {
    ...about,
    ...{
      status: "fail",
      detail: `${process.version}, and Dhi needs ${LEAST_NODE} or newer`,
      fix: "nvm install 22",
    },
  };
}

/** @param without what it means that the program is missing */
async function programCheck(
  program: string,
  title: string,
  env: Readonly<Record<string, string | undefined>>,
  without: string,
): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { env, timeout: TIMEOUT_MS });
    return { id: program, title, status: "ok", detail: stdout.trim() };
  } catch (error) {
    const detail = `${whyNoVersion(error)}: ${without}`;
    return { id: program, title, status: "warn", detail, fix: `install ${program}` };
  }
}

function whyNoVersion(error: unknown): string {
  if (hasField(error, "code") && error.code === "ENOENT") return "not found";
  if (hasField(error, "killed") && error.killed) return `no answer within ${TIMEOUT_MS / 1_000} s`;
  return `it fails (${describeError(error).trim()})`;
}
