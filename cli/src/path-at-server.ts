/** A path of this shell → as the server has it: one in a container has the workspace at another place. */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { StatusResponse } from "@dhi/core/protocol";
import { hasField, type Server, ServerRefused } from "./server.ts";

/**
 * Asks by the absolute path, and when that lies outside of what the server knows, by the path in the repository around it.
 *
 * @param file absolute
 * @param isOutside of an answer that says so without being an error
 * @throws {ServerAway} {ServerRefused}
 */
export async function askByPath<T>(
  file: string,
  server: Server,
  ask: (path: string) => Promise<T>,
  isOutside: (answer: T) => boolean = () => false,
): Promise<T> {
  const first = await ask(file).then(
    (answer) => ({ outside: isOutside(answer), end: () => answer }),
    (error: unknown) => ({
      outside: error instanceof ServerRefused && error.code === "outside_workspace",
      end(): never {
        throw error;
      },
    }),
  );
  const inRepository = first.outside ? pathInRepository(file) : undefined;
  if (inRepository === undefined || (existsSync(file) && (await seesThisMachine(server)))) return first.end();
  return ask(inRepository);
}

async function seesThisMachine(server: Server): Promise<boolean> {
  const { workspaces } = await server.get("/v1/status", {}, isStatus);
  return workspaces.every(({ path }) => existsSync(path));
}

const isStatus = (body: unknown): body is Pick<StatusResponse, "workspaces"> =>
  hasField(body, "workspaces") && Array.isArray(body.workspaces);

/** @returns the path as seen from the repository's root; `undefined` when none is around it */
function pathInRepository(file: string): string | undefined {
  for (let folder = file; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return relative(folder, file).split(sep).join("/") || ".";
  return undefined;
}
