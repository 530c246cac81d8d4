/** What is wrong with the set-up, and what to do about it. */
import type { Check, DoctorResponse } from "@dhi/core/config-protocol";
import { signal } from "@preact/signals";
import { ask, wordsOf } from "../server/ask.ts";

const found = signal<DoctorResponse | undefined>(undefined);
const problem = signal<string | undefined>(undefined);
const isAsking = signal(false);

export function Doctor() {
  return (
    <section class="card">
      <div class="head">
        <h2>Set-up</h2>
        <button type="button" disabled={isAsking.value} onClick={() => void examine()}>
          {found.value ? "Check again" : "Check the set-up"}
        </button>
      </div>
      <div aria-live="polite">
        {isAsking.value ? <p class="hint">Checking…</p> : null}
        {problem.value ? <p class="bad">{problem.value}</p> : null}
        {found.value ? (
          <ul class="parts checks">
            {found.value.checks.map((check) => (
              <CheckItem key={check.id} {...check} />
            ))}
          </ul>
        ) : null}
      </div>
    </section>
  );
}

const DOTS = { ok: "ok", warn: "degraded", fail: "down" } as const;

function CheckItem({ title, status, detail, fix }: Check) {
  return (
    <li>
      <span class={`dot ${DOTS[status]}`} aria-hidden="true" />
      <b>{title}</b>
      <span class={`word ${DOTS[status]}`}>{status}</span>
      <span class="detail">
        {detail}
        {fix ? <code class="fix">{fix}</code> : null}
      </span>
    </li>
  );
}

async function examine(): Promise<void> {
  isAsking.value = true;
  try {
    found.value = await ask<DoctorResponse>("/v1/doctor");
    problem.value = undefined;
  } catch (error) {
    problem.value = wordsOf(error);
  } finally {
    isAsking.value = false;
  }
}
