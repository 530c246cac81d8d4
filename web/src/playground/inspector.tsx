/** Beside the editor: what the last answer knew, what it was asked with, and where its time went. */
import { signal, useSignalEffect } from "@preact/signals";
import { Tabs } from "../parts/tabs.tsx";
import { Compare } from "./compare.tsx";
import { ContextPanel } from "./context-panel.tsx";
import { loading, outcome } from "./playground-state.ts";
import { followPrompt } from "./prompt-answer.ts";
import { PromptPanel } from "./prompt-panel.tsx";
import { TimingPanel } from "./timing-panel.tsx";

const names = ["What it knew", "Prompt", "Timing", "Compare"] as const;
const chosen = signal<(typeof names)[number]>("What it knew");

export function Inspector() {
  useSignalEffect(() => (chosen.value === "Compare" ? undefined : followPrompt()));
  return (
    <section class="inspector" aria-label="About the last answer">
      <Tabs label="Inspector" names={names} chosen={chosen}>
        {chosen.value === "What it knew" ? <ContextPanel /> : null}
        {chosen.value === "Prompt" ? <PromptPanel /> : null}
        {chosen.value === "Timing" ? <TimingPanel /> : null}
        {chosen.value === "Compare" ? <Compare /> : null}
      </Tabs>
    </section>
  );
}

export function NothingYet() {
  const last = outcome.value;
  if (last?.kind === "failed")
    return <p class="hint">There was no answer: {last.message.replace(/\.$/, "")}.</p>;
  if (loading.value > 0) return <p class="hint">It is still being answered.</p>;
  return <p class="hint">Open a file and type, or press Alt+\ to ask at the cursor.</p>;
}
