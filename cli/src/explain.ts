/** `dhi explain`: a path as the shell knows it → the server's word on it. */
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { ExplainResponse, StatusResponse } from "@dhi/core/protocol";
import { hasField, type Server } from "./server.ts";

export interface ExplainOptions {
  readonly cwd: string;
  readonly server: Server;
  readonly workspace: string | undefined;
}

/** @throws {ServerAway} {ServerRefused} */
export async function explain(
  path: string,
  { cwd, server, workspace }: ExplainOptions,
): Promise<ExplainResponse> {
  const file = resolve(cwd, path);
  const ask = (asked: string): Promise<ExplainResponse> =>
    server.get("/v1/explain", { path: asked, ...(workspace !== undefined && { workspace }) }, isExplanation);
  const answer = await ask(file);
  const inRepository = answer.skipped === "outside" ? pathInRepository(file) : undefined;
  if (inRepository === undefined || (existsSync(file) && (await seesThisMachine(server)))) return answer;
  return ask(inRepository);
}

/** A server in a container has the workspace at another place than this shell. */
async function seesThisMachine(server: Server): Promise<boolean> {
  const { workspaces } = await server.get("/v1/status", {}, isStatus);
  return workspaces.every(({ path }) => existsSync(path));
}

const isStatus = (body: unknown): body is Pick<StatusResponse, "workspaces"> =>
  hasField(body, "workspaces") && Array.isArray(body.workspaces);

const isExplanation = (body: unknown): body is ExplainResponse =>
  hasField(body, "indexed") && typeof body.indexed === "boolean" && hasField(body, "detail");

/** @returns the path as seen from the repository's root; `undefined` when none is around it */
function pathInRepository(file: string): string | undefined {
  for (let folder = file; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return relative(folder, file).split(sep).join("/") || ".";
  return undefined;
}
