/** The models there are: which can infill, and which this machine's memory has room for. */
import type { ConfigRequest, ConfigResponse } from "@dhi/core/config-protocol";
import type { MachineResponse, ModelFit } from "@dhi/core/machine-protocol";
import { Wide } from "../parts/wide.tsx";
import { count, size } from "../words/format.ts";
import { type ModelRow, modelRows } from "./model-rows.ts";
import { change, isChanging } from "./models-state.ts";

export interface ModelTableProps {
  readonly settings: ConfigResponse;
  readonly machine: MachineResponse;
}

export function ModelTable({ settings, machine }: ModelTableProps) {
  const rows = modelRows(settings, machine);
  return (
    <section class="card">
      <h2>What there is to choose from</h2>
      <Memory {...machine} />
      {rows.length ? (
        <Wide label="Models">
          <table class="log models">
            <thead>
              <tr>
                <th scope="col">model</th>
                <th scope="col">can infill</th>
                <th scope="col">size</th>
                <th scope="col">needs</th>
                <th scope="col">fits this machine</th>
                <th scope="col">in memory now</th>
                <th scope="col">
                  <span class="visually-hidden">choose</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={row.name}
                  row={row}
                  total={machine.memory.total}
                  // The engine without a model would go on without one.
                  use={{ model: row.name, ...(settings.engine === "instant" && { engine: "ollama" }) }}
                />
              ))}
            </tbody>
          </table>
        </Wide>
      ) : (
        <p class="hint">
          {settings.engines.includes("ollama")
            ? "Ollama does not answer, or has no model yet."
            : "This engine does not tell what models it has."}
        </p>
      )}
      {machine.models.length ? (
        <p class="hint">
          What a model needs: {machine.formula.words}; for {count(machine.contextTokens)} tokens of prompt and
          completion. From {machine.formula.source}.
        </p>
      ) : null}
    </section>
  );
}

function Memory({ memory: { total, available, holdsOllama, isLimited } }: Pick<MachineResponse, "memory">) {
  return (
    <div class="memory">
      <p>
        <b>{size(available)}</b> of {size(total)} are free{" "}
        {isLimited ? "in its container" : "on this machine"}.
        {holdsOllama ? "" : " Ollama runs on another one, of whose memory nothing is known here."}
      </p>
      <span class="bar" aria-hidden="true" style={{ "--share": total ? 1 - available / total : 0 }} />
    </div>
  );
}

interface RowProps {
  readonly row: ModelRow;
  /** Memory of the machine, in bytes. */
  readonly total: number;
  /** The change that makes completions use it. */
  readonly use: ConfigRequest;
}

function Row({ row: { name, bytes, canInfill, fit, isInUse, isOfEngine }, total, use }: RowProps) {
  const needed = fit?.needed ?? null;
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>{canInfill === null ? "only a try would tell" : canInfill ? "yes" : "no"}</td>
      <td>{bytes === null ? "–" : size(bytes)}</td>
      <td>
        {needed === null ? "–" : size(needed)}
        {needed === null || !total ? null : (
          <span class="bar" aria-hidden="true" style={{ "--share": Math.min(1, needed / total) }} />
        )}
      </td>
      <td class={fit?.fits === "no" ? "bad" : undefined}>{FITS[fit?.fits ?? "unknown"]}</td>
      <td>{fit?.loaded ? loadedWords(fit.loaded) : "–"}</td>
      <td>
        {isInUse ? (
          "in use"
        ) : isOfEngine ? (
          <button
            type="button"
            disabled={canInfill === false || isChanging.value}
            onClick={() => void change(use)}
          >
            Use<span class="visually-hidden"> {name}</span>
          </button>
        ) : null}
      </td>
    </tr>
  );
}

const FITS: Readonly<Record<NonNullable<ModelFit["fits"]> | "unknown", string>> = {
  now: "yes",
  "after-closing": "once other programs are closed",
  no: "no",
  unknown: "–",
};

const loadedWords = ({ bytes, gpu }: NonNullable<ModelFit["loaded"]>): string =>
  gpu > 0 ? `${size(bytes)}, ${size(gpu)} of it on the GPU` : size(bytes);
