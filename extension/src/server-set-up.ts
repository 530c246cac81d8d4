/** How a server that stands in a folder with Dhi is started: what becomes `dhi.server.command`. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** `node`: needs Node alone. `compose`: containers, with Chroma and Ollama among them. */
export type ServerKind = "node" | "compose";

/** What a folder has when a server of that kind can be started in it. */
const MARKS = { node: join("scripts", "start.mjs"), compose: "docker-compose.yml" } as const;

/** @returns what the folder lacks; `undefined` when it is one with Dhi */
export function missingIn(folder: string, kind: ServerKind): string | undefined {
  return [MARKS[kind], join("extension", "package.json")].find((path) => !existsSync(join(folder, path)));
}

/** @returns it serves the folder that is open, whichever that is when it is started */
export function serverCommandIn(folder: string, kind: ServerKind): string[] {
  if (kind === "node") return ["npm", "start", "--prefix", folder, "--", "--workspace", OPEN_FOLDER];
  // Containers get ten seconds to end unless told otherwise: VS Code gives an extension five.
  const up = ["docker", "compose", "--project-directory", folder, "up", "--timeout", "3"];
  return [`WORKSPACE=${OPEN_FOLDER}`, ...up];
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the command fills it in
const OPEN_FOLDER = "${workspaceFolder}";
