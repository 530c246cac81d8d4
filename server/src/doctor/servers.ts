/** The servers that completions are made with. */
import { sameModel } from "@dhi/core/ollama";
import { describeError } from "@dhi/core/upstream-error";
import { type DoctorCheck, type Finding, fail, ok, type Setup, warn, worstOf } from "./check.ts";

export const engine: DoctorCheck = {
  ...{ id: "engine", title: "Engine" },
  async look({ config, running, models, inCompose }, signal) {
    const { now } = running;
    const { status, detail } = await now.engine.health(signal);
    const isAuto = config.ENGINE === "auto" && !now.isChosen;
    const name = isAuto ? "ollama" : now.engine.name;
    // An Ollama that answers needs no start.
    const lacks = name === "ollama" && (await lacksModel(models, running.measured().model));
    const fix = lacks ? pullOf(running.measured().model, inCompose) : FIXES[name](inCompose);
    if (status === "down") return fail(detail, fix);
    if (status === "starting") return warn(detail);
    if (isAuto && now.engine.name === "instant") return warn(detail, fix);
    const { now: step, detail: why } = now.degrade.now;
    if (step === "full") return ok(detail);
    return warn(
      `${detail}; too slow for all that could be asked (${step}: ${why})`,
      "dhi model qwen2.5-coder:0.5b-base",
    );
  },
};

const FIXES = {
  ollama: (inCompose: boolean) => (inCompose ? "docker compose up -d ollama models" : "ollama serve"),
  "llama-server": () => "start llama-server with the model, or set LLAMA_SERVER_HOST to where it listens",
  openai: () => "start that server, or set OPENAI_BASE_URL to where it listens",
  instant: () => "npm start",
} as const;

const pullOf = (model: string, inCompose: boolean): string =>
  inCompose ? "docker compose up models" : `ollama pull ${model}`;

/** @returns false while Ollama is away */
const lacksModel = (models: Setup["models"], name: string): Promise<boolean> =>
  models().then(
    (installed) => !installed.some((one) => sameModel(one.name, name)),
    () => false,
  );

export const model: DoctorCheck = {
  ...{ id: "model", title: "Model" },
  async look({ running, config, models, listed, inCompose }) {
    const { engine, isChosen } = running.now;
    const { model: name } = running.measured();
    const isAuto = config.ENGINE === "auto" && !isChosen;
    if (engine.name === "instant" && !isAuto) return ok("the built-in engine needs none");
    if (engine.name === "openai" || engine.name === "llama-server")
      return ok(`${name}, asked as ${running.now.asked().format.id}`);
    const severity = isAuto ? warn : fail;
    const installed = await models().catch((error: unknown) => describeError(error));
    if (typeof installed === "string") return severity(`unknown: ${installed}`, FIXES.ollama(inCompose));
    if (!installed.some((one) => sameModel(one.name, name)))
      return severity(`Ollama does not have ${name}`, pullOf(name, inCompose));
    const canInfill = (await listed()).find((one) => sameModel(one.name, name))?.canInfill;
    if (canInfill === false)
      return fail(`${name} cannot fill in the middle`, "dhi model qwen2.5-coder:1.5b-base");
    return ok(`${name}, asked as ${running.now.asked().format.id}`);
  },
};

export const chroma: DoctorCheck = {
  ...{ id: "chroma", title: "Chroma" },
  async look({ config: { CHROMA_HOST }, workspaces, indexed, inCompose }, signal) {
    const fix = inCompose ? "docker compose up -d chroma" : "npm start, which starts it; or set CHROMA_HOST";
    let version: string;
    try {
      version = await text(`${CHROMA_HOST}/api/v2/version`, signal);
    } catch (error) {
      return fail(`no answer at ${CHROMA_HOST} (${describeError(error)}): code is found by words alone`, fix);
    }
    const health = await Promise.all(
      workspaces.map(async ({ vectors, index }): Promise<Finding> => {
        const { status, detail } = await vectors.health(index.get(), signal);
        return status === "ok" ? ok(detail) : warn(detail, "dhi index");
      }),
    );
    const writes = (await indexed().catch(() => [])).map(({ vectors }) =>
      vectors.status === "down" ? fail(vectors.detail, fix) : ok(""),
    );
    const worst = worstOf([...health, ...writes]);
    return worst.status === "ok" ? ok(`${version} at ${CHROMA_HOST}`) : worst;
  },
};

export const indexer: DoctorCheck = {
  ...{ id: "indexer", title: "Indexer" },
  async look({ indexed, inCompose }) {
    const fix = inCompose ? "docker compose up -d indexer" : "npm start";
    let statuses: Awaited<ReturnType<Setup["indexed"]>>;
    try {
      statuses = await indexed();
    } catch (error) {
      return fail(`${describeError(error)}: the index is not kept up to date`, fix);
    }
    return worstOf(
      statuses.map(({ workspace, state, error, files, chunks }) =>
        state === "failed"
          ? fail(`${workspace}: ${error ?? "failed"}`, fix)
          : ok(`${workspace}: ${state}, ${files} files, ${chunks} chunks`),
      ),
    );
  },
};

async function text(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.text()).trim().replaceAll('"', "");
}
