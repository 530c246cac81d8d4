// The command line of `npm start`. Plain JavaScript: a typing mistake must not wait for an installation.
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export const usage = `npm start -- [--workspace DIR]... [--port N] [--engine NAME]

  --workspace DIR  the code to index and complete; several times for several folders
                   (default: DHI_WORKSPACES, else WORKSPACE, else this repository)
  --port N         where the server listens on 127.0.0.1 (default: DHI_PORT, else 8000)
  --engine NAME    auto, ollama, llama-server, openai or instant; auto takes Ollama when it has the model, else
                   instant (default: ENGINE, else auto)
  --help           this text

Index, Chroma's data and logs go to DHI_HOME (default: .dhi in this repository). Settings are also read from .env here.`;

const engines = ["auto", "ollama", "llama-server", "openai", "instant"];

/** @returns the flags that were given, or `{ help: true }`, or `{ problem }` in one line */
export function parseFlags(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        workspace: { type: "string", multiple: true },
        port: { type: "string" },
        engine: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    return { problem: error.message.split(/[.\n]/)[0] };
  }
  const { workspace: workspaces, port, engine, help } = values;
  if (help) return { help: true };
  if (workspaces?.includes("")) return { problem: "--workspace wants a folder" };
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && port >= 1 && port <= 65_535)) {
    return { problem: `--port wants a number from 1 to 65535, not "${port}"` };
  }
  if (engine !== undefined && !engines.includes(engine)) {
    return { problem: `--engine wants ${engines.join(", ")}, not "${engine}"` };
  }
  // npm runs scripts in the repository's root and says in INIT_CWD where the user typed the command.
  const from = process.env.INIT_CWD ?? process.cwd();
  return {
    ...(workspaces !== undefined && { workspaces: workspaces.map((folder) => resolve(from, folder)) }),
    ...(port !== undefined && { port: Number(port) }),
    ...(engine !== undefined && { engine }),
  };
}
