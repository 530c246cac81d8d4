/** `dhi start`: all of Dhi, as `npm start` starts it. */
import { fileURLToPath } from "node:url";
import { type Command, EXIT } from "../command.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/start.mjs", import.meta.url));

export const start: Command = {
  ...{ name: "start", parameters: "[FLAGS]", least: 0, most: Number.POSITIVE_INFINITY },
  summary:
    "start Chroma, indexer and server on a workspace, as npm start does; dhi start --help lists its flags",
  passesOn: true,
  exits: "0 stopped by you, 1 failed",
  run: ({ parameters, surroundings }) =>
    surroundings.runScript?.(SCRIPT, parameters) ?? Promise.resolve(EXIT.usage),
};
