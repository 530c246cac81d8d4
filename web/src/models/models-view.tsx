/** Which model, engine and mode completions use, and what there is to choose from. */
import type { ConfigRequest, ConfigResponse } from "@dhi/core/config-protocol";
import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { asChoices, Choice } from "../parts/choice.tsx";
import { ask, ServerProblem } from "../server/ask.ts";
import { poll } from "../server/poll.ts";
import { size } from "../words/format.ts";
import { Pull } from "./pull.tsx";

const config = signal<ConfigResponse | undefined>(undefined);
/** Why it could not be asked. */
const problem = signal<ServerProblem | undefined>(undefined);
/** Why the last change was not made. It stays, however often is asked. */
const refusal = signal<ServerProblem | undefined>(undefined);
const isChanging = signal(false);

/** Models come and go outside of this page. */
const EVERY_MS = 5_000;

export function ModelsView() {
  useEffect(
    () =>
      poll((signal) => told(() => ask<ConfigResponse>("/v1/config", { signal }), problem, signal), EVERY_MS),
    [],
  );
  const now = config.value;
  const wrong = problem.value ?? refusal.value;
  return (
    <div class="view">
      <h1>Models</h1>
      {wrong ? (
        <p class="bad" role="alert">
          {wrong.message}
          {wrong.hint ? `. ${wrong.hint}` : ""}
        </p>
      ) : null}
      {now ? <Running {...now} /> : <p class="hint">Asking…</p>}
    </div>
  );
}

function Running(now: ConfigResponse) {
  return (
    <>
      <section class="card">
        <h2>What completes</h2>
        <div class="line">
          <Choice
            label="Engine"
            values={asChoices(now.engines)}
            chosen={now.engine}
            onChoose={(engine) => void change({ engine })}
          />
          <Choice
            label="Mode"
            values={asChoices(now.modes)}
            chosen={now.mode}
            onChoose={(mode) => void change({ mode })}
          />
          <p aria-live="polite">
            Model <code>{now.model}</code>
            {isChanging.value ? ", changing…" : ""}
          </p>
        </div>
        <p class="hint">
          For everybody who asks this server, until it stops. What shall last stands in its settings.
        </p>
      </section>
      <section class="card">
        <h2>What the engine has</h2>
        {now.models.length ? (
          <Models {...now} />
        ) : (
          <p class="hint">This engine does not tell what models it has.</p>
        )}
      </section>
      {now.engines.includes("ollama") ? <Pull /> : null}
    </>
  );
}

function Models({ models, model }: ConfigResponse) {
  return (
    <table class="log">
      <thead>
        <tr>
          <th scope="col">model</th>
          <th scope="col">size</th>
          <th scope="col">can infill</th>
          <th scope="col">
            <span class="visually-hidden">choose</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ name, bytes, canInfill }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{bytes === null ? "–" : size(bytes)}</td>
            <td>{canInfill === null ? "only a try would tell" : canInfill ? "yes" : "no"}</td>
            <td>
              {name === model ? (
                "in use"
              ) : (
                <button
                  type="button"
                  disabled={canInfill === false || isChanging.value}
                  onClick={() => void change({ model: name })}
                >
                  Use<span class="visually-hidden"> {name}</span>
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

async function change(body: ConfigRequest): Promise<void> {
  isChanging.value = true;
  try {
    await told(() => ask<ConfigResponse>("/v1/config", { method: "PUT", body }), refusal);
  } finally {
    isChanging.value = false;
  }
}

async function told(
  does: () => Promise<ConfigResponse>,
  wrong: Signal<ServerProblem | undefined>,
  signal?: AbortSignal,
): Promise<void> {
  try {
    config.value = await does();
    wrong.value = undefined;
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof ServerProblem)) throw error;
    wrong.value = error;
  }
}
