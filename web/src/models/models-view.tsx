/** Which model, engine and mode completions use, how fast and how well it does, and what else this machine could run. */
import { useEffect } from "preact/hooks";
import { ModelTable } from "./model-table.tsx";
import { config, machine, problem, refusal, watchModels } from "./models-state.ts";
import { Pull } from "./pull.tsx";
import { Running } from "./running.tsx";
import { SelfTest } from "./self-test.tsx";

export function ModelsView() {
  useEffect(watchModels, []);
  const [settings, measured] = [config.value, machine.value];
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
      {settings && measured ? (
        <>
          <div class="cards two">
            <Running settings={settings} engine={measured.engine} />
            <SelfTest selfTest={measured.selfTest} model={measured.engine.model} />
          </div>
          <ModelTable settings={settings} machine={measured} />
          {settings.engines.includes("ollama") ? <Pull /> : null}
        </>
      ) : wrong ? null : (
        <p class="hint">Asking…</p>
      )}
    </div>
  );
}
