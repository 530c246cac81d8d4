/** What completes now, and how fast it was found to be. */
import { stepWords } from "@dhi/client/reason-words";
import type { ConfigResponse } from "@dhi/core/config-protocol";
import type { MachineResponse } from "@dhi/core/machine-protocol";
import { asChoices, Choice } from "../parts/choice.tsx";
import { Figures } from "../parts/figures.tsx";
import { duration, many, rate } from "../words/format.ts";
import { change, isChanging } from "./models-state.ts";

export interface RunningProps {
  readonly settings: ConfigResponse;
  readonly engine: MachineResponse["engine"];
}

export function Running({ settings, engine }: RunningProps) {
  const { prefill, decode, firstTextMs, calls, step } = engine;
  return (
    <section class="card">
      <h2>What completes</h2>
      <div class="line">
        <Choice
          label="Engine"
          values={asChoices(settings.engines)}
          chosen={settings.engine}
          onChoose={(name) => void change({ engine: name })}
        />
        <Choice
          label="Mode"
          values={asChoices(settings.modes)}
          chosen={settings.mode}
          onChoose={(mode) => void change({ mode })}
        />
        <p aria-live="polite">
          Model <code>{engine.model}</code>
          {isChanging.value ? ", changing…" : ""}
        </p>
      </div>
      <Figures
        figures={[
          ["tokens read a second", prefill === null ? "–" : rate(prefill)],
          ["tokens written a second", decode === null ? "–" : rate(decode)],
          ["to the first text, half of them", firstTextMs === null ? "–" : duration(firstTextMs)],
        ]}
      />
      <p class="hint">
        {calls ? `Measured over ${many(calls, "call")}; the newer ones count for more` : NOT_MEASURED}.
        {step === "full" ? "" : ` Now it is asked for ${stepWords(step)}.`}
      </p>
      <p class="hint">
        A change holds for everybody who asks this server, until it stops. What shall last stands in its
        settings.
      </p>
    </section>
  );
}

const NOT_MEASURED = "Nothing is measured yet: ask for a completion in the playground";
