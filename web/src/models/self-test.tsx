/** What the model filled into a gap whose answer is known, before anybody was shown a text of it. */
import type { MachineResponse } from "@dhi/core/machine-protocol";
import { ago } from "../words/format.ts";

type SelfTestResult = MachineResponse["selfTest"];

export interface SelfTestProps {
  readonly selfTest: SelfTestResult;
  readonly model: string;
}

export function SelfTest({ selfTest: { state, asked, wrote, finding, at }, model }: SelfTestProps) {
  return (
    <section class="card self-test">
      <h2>Self-test</h2>
      <p>
        <span class={`dot ${DOTS[state]}`} aria-hidden="true" />
        <b>{state}</b>
        {at ? <span class="hint">{ago(at)}</span> : null}
      </p>
      <pre>
        {asked.before}
        {wrote === null ? (
          <span class="gap" role="img" aria-label="the gap to fill in" />
        ) : (
          <ins>{wrote}</ins>
        )}
        {asked.after}
      </pre>
      <p class={state === "failed" ? "bad" : "hint"}>{finding ?? WORDS[state](model)}</p>
    </section>
  );
}

const DOTS: Readonly<Record<SelfTestResult["state"], string>> = {
  passed: "ok",
  failed: "down",
  untested: "",
};

const WORDS: Readonly<Record<SelfTestResult["state"], (model: string) => string>> = {
  passed: (model) => `${model} fills in what is missing, and nothing more.`,
  failed: (model) => `${model} does not fill in what is missing.`,
  untested: () => "Only a model of Ollama is tested, once it is about to complete.",
};
