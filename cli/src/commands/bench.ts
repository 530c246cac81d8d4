/** `dhi bench`: the project's own measurements. */
import { fileURLToPath } from "node:url";
import { type Command, EXIT, UsageError } from "../command.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/run.mjs", import.meta.url));
const BENCHES = ["typing", "index", "retrieval", "instant", "load"];

export const bench: Command = {
  ...{ name: "bench", parameters: "NAME [FLAGS]", least: 1, most: Number.POSITIVE_INFINITY },
  summary: `measure ${BENCHES.slice(0, -1).join(", ")} or ${BENCHES.at(-1)}; dhi bench NAME --help lists its flags`,
  choices: BENCHES,
  passesOn: true,
  exits: "0 measured, 1 failed",
  run({ parameters, surroundings }) {
    const [name = "", ...flags] = parameters;
    if (!BENCHES.includes(name)) throw new UsageError(`no bench "${name}", only ${BENCHES.join(", ")}`);
    return surroundings.runScript?.(SCRIPT, [`bench-${name}`, ...flags]) ?? Promise.resolve(EXIT.usage);
  },
};
