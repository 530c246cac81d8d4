/** How the server is and what it has been asked, as it happens. */
import { reasonWords, stepWords } from "@dhi/client/reason-words";
import { Facts } from "../parts/facts.tsx";
import { Figures } from "../parts/figures.tsx";
import { ShareBars } from "../parts/share-bar.tsx";
import { Wide } from "../parts/wide.tsx";
import { health, status, unreachable } from "../server/server-state.ts";
import { ago, count, many, percent, size } from "../words/format.ts";
import { Acceptance } from "./acceptance.tsx";
import { Doctor } from "./doctor.tsx";
import { together } from "./last-drops.ts";
import { Latency } from "./latency.tsx";
import { samples } from "./live-figures.ts";
import { sumOf } from "./prometheus.ts";

export function LiveView() {
  return (
    <div class="view">
      <h1>Live</h1>
      <Components />
      <div class="cards">
        <Requests />
        <Engine />
        <Drops />
      </div>
      <div class="cards two">
        <Latency />
        <Acceptance />
      </div>
      <LastDrops />
      <Doctor />
    </div>
  );
}

function Components() {
  const parts = Object.entries(health.value?.components ?? {});
  return (
    <section class="card" aria-live="polite">
      <h2>Parts{unreachable.value ? ", as they were when the server last answered" : ""}</h2>
      <ul class="parts">
        {parts.map(([name, { status: state, detail }]) => (
          <li key={name}>
            <span class={`dot ${unreachable.value ? "" : state}`} aria-hidden="true" />
            <b>{name}</b>
            <span class={`word ${state}`}>{state}</span>
            <span class="detail">{detail}</span>
          </li>
        ))}
      </ul>
      {parts.length ? null : <p class="hint">Asking…</p>}
    </section>
  );
}

function Requests() {
  const requests = status.value?.requests;
  const { completions = 0, shown = 0 } = requests ?? {};
  return (
    <section class="card">
      <h2>Completions</h2>
      <Figures
        figures={[
          ["asked for", count(completions)],
          ["shown", count(shown)],
          ["of them", completions ? percent(shown / completions) : "–"],
        ]}
      />
      <Work />
      <p class="hint">
        Since the server started. <code>GET /metrics</code> has more, for Prometheus.
      </p>
    </section>
  );
}

/** What was spared, and what it costs. */
function Work() {
  const now = samples.value;
  if (!now) return null;
  const completions = (reuse: string) => sumOf(now, "dhi_completions_total", { reuse });
  const tokens = (kind: string) => sumOf(now, "dhi_tokens_total", { kind });
  return (
    <Facts
      facts={[
        ["from the cache", count(completions("cached"))],
        ["joined", `${count(completions("joined"))}, to a call that was still writing`],
        ["cancelled", count(sumOf(now, "dhi_failures_total", { code: "cancelled" }))],
        ["tokens read", `${count(tokens("prompt"))}, of which ${count(tokens("cached"))} were cached`],
        ["tokens written", count(tokens("completion"))],
        ["memory", size(sumOf(now, "process_resident_memory_bytes"))],
      ]}
    />
  );
}

function Engine() {
  const now = status.value;
  if (!now) return null;
  const { name, model, format, detail, step } = now.engine;
  return (
    <section class="card">
      <h2>Engine</h2>
      <Facts
        facts={[
          ["engine", name],
          ["model", model],
          ["format", format],
          ["mode", now.mode],
          ["state", detail],
          ["asked for", stepWords(step)],
        ]}
      />
    </section>
  );
}

function Drops() {
  const drops = Object.entries(status.value?.requests.drops ?? {});
  return (
    <section class="card">
      <h2>Why nothing was shown</h2>
      {drops.length ? (
        <ShareBars
          shares={drops.map(([reason, value]) => ({ name: reasonWords(reason), value, title: reason }))}
        />
      ) : (
        <p class="hint">Nothing was dropped yet.</p>
      )}
    </section>
  );
}

function LastDrops() {
  const drops = together(status.value?.lastDrops ?? []);
  if (!drops.length) return null;
  return (
    <section class="card">
      <h2>The last times</h2>
      <Wide label="The last times that nothing was shown">
        <table class="log">
          <thead>
            <tr>
              <th scope="col">when</th>
              <th scope="col">file</th>
              <th scope="col">why</th>
            </tr>
          </thead>
          <tbody>
            {drops.map(({ at, path, reason, times }) => (
              <tr key={`${at}${path}`}>
                <td>{ago(at)}</td>
                <td>
                  <code>{path}</code>
                </td>
                <td>
                  {reasonWords(reason)}
                  {times > 1 ? <span class="hint"> · {many(times, "time")}</span> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </section>
  );
}
