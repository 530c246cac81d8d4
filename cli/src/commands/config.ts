/** `dhi mode` and `dhi model`: what completes, told or changed until the server stops. */
import type { ConfigResponse } from "@dhi/core/config-protocol";
import type { ContextMode } from "@dhi/core/protocol";
import { type Call, type Command, EXIT } from "../command.ts";
import { hasFields } from "../server.ts";
import { pull } from "./pull.ts";

const MODES: readonly ContextMode[] = ["rag", "symbols", "simple", "raw"];

export const mode: Command = {
  ...{ name: "mode", parameters: "[NAME]", least: 0, most: 1 },
  summary: `what prompts hold (${MODES.join(", ")}); with a name: change it until the server stops`,
  choices: MODES,
  exits: "0 told or changed",
  run: (call) =>
    tellOrChange(call, "mode", ({ mode: now, modes }) =>
      modes.map((name) => mark(name, name === now)).join("\n"),
    ),
};

export const model: Command = {
  ...{ name: "model", parameters: "[NAME]", least: 0, most: 1 },
  summary: "the model that completes, and those that can; with a name: change it until the server stops",
  options: { pull: { type: "boolean", describe: "instead: have Ollama fetch NAME" } },
  exits: "0 told, changed or fetched, 1 left before it was whole",
  run: (call) =>
    call.options.pull
      ? pull(call)
      : tellOrChange(call, "model", ({ model: now, models, engine }) => {
          const others = models.filter(({ name }) => name !== now);
          const lines = others.map(({ name, bytes, canInfill }) =>
            mark(`${name}${size(bytes)}${ability(canInfill)}`, false),
          );
          const own = models.find(({ name }) => name === now);
          return [mark(`${now}${size(own?.bytes ?? null)}  (${engine} answers)`, true), ...lines].join("\n");
        }),
};

async function tellOrChange(
  call: Call,
  field: "mode" | "model",
  describe: (config: ConfigResponse) => string,
): Promise<number> {
  const { server, surroundings, json, parameters } = call;
  const [name] = parameters;
  const answer =
    name === undefined
      ? await server.get("/v1/config", {}, isConfig)
      : await server.send("PUT", "/v1/config", { [field]: name }, isConfig);
  surroundings.print(json ? JSON.stringify(answer) : describe(answer));
  if (name !== undefined && !json)
    surroundings.complain(`This holds until the server stops; ${SETTINGS[field]} in .env is for good.`);
  return EXIT.yes;
}

const SETTINGS = { mode: "CONTEXT_MODE", model: "FIM_MODEL" } as const;

const isConfig = hasFields<ConfigResponse>("model", "mode", "engine", "models");

const mark = (text: string, isNow: boolean): string => `${isNow ? "*" : " "} ${text}`;
const size = (bytes: number | null): string => (bytes === null ? "" : `  ${(bytes / 1e9).toFixed(1)} GB`);
const ability = (canInfill: boolean | null): string =>
  canInfill === null ? "  (may be able to fill in)" : canInfill ? "" : "  (cannot fill in)";
