/** Has Ollama fetch a model, and shows how far it is. It goes on while another view shows. */
import type { PullProgress } from "@dhi/core/config-protocol";
import { signal } from "@preact/signals";
import { ServerProblem } from "../server/ask.ts";
import { streamPull } from "../server/stream-pull.ts";
import { size } from "../words/format.ts";

const wanted = signal("");
const running = signal<{ readonly model: string; readonly stop: () => void } | undefined>(undefined);
const progress = signal<PullProgress | undefined>(undefined);
const said = signal<{ readonly text: string; readonly isBad: boolean } | undefined>(undefined);

export function Pull() {
  return (
    <section class="card">
      <h2>Fetch another</h2>
      <form class="line" onSubmit={(event) => void pull(event)}>
        <label>
          <span>Model, as Ollama names it</span>
          <input
            type="text"
            placeholder="qwen2.5-coder:1.5b-base"
            spellcheck={false}
            required
            value={wanted.value}
            onInput={({ currentTarget }) => {
              wanted.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={!!running.value}>
          Fetch
        </button>
        {running.value ? (
          <button type="button" onClick={running.value.stop}>
            Stop
          </button>
        ) : null}
      </form>
      {running.value ? <Progress model={running.value.model} /> : null}
      <p aria-live="polite" class={said.value?.isBad ? "bad" : "hint"}>
        {said.value?.text ?? "Ollama asks its own registry for it, out on the network."}
      </p>
    </section>
  );
}

function Progress({ model }: { readonly model: string }) {
  const { status, completed = 0, total = 0 } = progress.value ?? {};
  return (
    <div class="progress">
      <progress aria-label={`Fetching ${model}`} {...(total > 0 && { max: total, value: completed })} />
      <p>
        {status ?? "asking Ollama…"}
        {total > 0 ? `: ${size(completed)} of ${size(total)}` : ""}
      </p>
    </div>
  );
}

async function pull(event: Event): Promise<void> {
  event.preventDefault();
  const model = wanted.peek().trim();
  if (!model || running.peek()) return;
  const controller = new AbortController();
  running.value = { model, stop: () => controller.abort() };
  progress.value = undefined;
  said.value = undefined;
  const onProgress = (now: PullProgress) => {
    progress.value = now;
  };
  try {
    await streamPull(model, onProgress, controller.signal);
    said.value = { text: `Ollama has ${model} now.`, isBad: false };
  } catch (error) {
    said.value = { text: whyNot(error, model, controller.signal), isBad: !controller.signal.aborted };
  } finally {
    running.value = undefined;
  }
}

function whyNot(error: unknown, model: string, { aborted }: AbortSignal): string {
  if (aborted) return `Stopped. What there is of ${model} is kept, and the next try goes on from there.`;
  if (!(error instanceof ServerProblem)) throw error;
  return error.hint ? `${error.message}. ${error.hint}` : error.message;
}
