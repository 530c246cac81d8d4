/** Who uses a definition, and what it uses: drawn and listed, a step at a time, each name leads on. */
import type { CallersResponse, SymbolsResponse } from "@dhi/core/graph-protocol";
import { batch, signal } from "@preact/signals";
import { ask, wordsOf } from "../server/ask.ts";
import { oneAtATime } from "../server/one-at-a-time.ts";
import { workspace } from "../server/server-state.ts";
import { count } from "../words/format.ts";
import { keyOf, type LookedAt } from "./call-graph.ts";

type Drawing = typeof import("./graph-drawing.tsx").GraphDrawing;
type Definition = SymbolsResponse["symbols"][number];
type Place = Pick<Definition, "path" | "name" | "container">;

const name = signal("");
const definitions = signal<readonly Definition[] | undefined>(undefined);
const graph = signal<(CallersResponse & { readonly of: Place }) | undefined>(undefined);
/** The steps up to here, the latest last. */
const lookedAt = signal<readonly LookedAt[]>([]);
/** What all of them are of. */
const where = signal<string | undefined>(undefined);
const problem = signal<string | undefined>(undefined);
const next = oneAtATime();

/** More in one picture would be a ball of wool. */
const MOST_STEPS = 6;

/** Comes when there is something to draw; `missing` when the server is away, or has another page by now. */
const drawing = signal<{ readonly Drawing: Drawing } | "missing" | undefined>(undefined);

function loadDrawing(): void {
  import("./graph-drawing.tsx").then(
    ({ GraphDrawing }) => {
      drawing.value = { Drawing: GraphDrawing };
    },
    () => {
      drawing.value = "missing";
    },
  );
}

export function SymbolGraph() {
  const isHere = where.value === workspace.value;
  return (
    <section class="card graph">
      <h2>Calls</h2>
      <form class="line" onSubmit={(event) => void find(event)}>
        <label>
          <span>A name that is defined here</span>
          <input
            type="search"
            placeholder="createApp"
            spellcheck={false}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Look up</button>
      </form>
      <div aria-live="polite">
        {problem.value ? <p class="bad">{problem.value}</p> : null}
        {isHere && definitions.value?.length === 0 ? (
          <p class="hint">No definition has exactly that name.</p>
        ) : null}
      </div>
      {isHere && definitions.value && definitions.value.length > 1 ? (
        <ul class="definitions">
          {definitions.value.map((definition) => (
            <li key={`${definition.path}:${definition.startLine}`}>
              <NameButton place={definition} note={`${definition.path}:${definition.startLine}`} />
            </li>
          ))}
        </ul>
      ) : null}
      {isHere && graph.value ? (
        <>
          <Picture of={graph.value.of} />
          <Graph {...graph.value} />
        </>
      ) : null}
    </section>
  );
}

function Picture({ of }: { readonly of: Place }) {
  if (drawing.value === undefined) return <p class="hint">Drawing…</p>;
  if (drawing.value === "missing")
    return <p class="hint">The picture could not be loaded. Reload the page to try again.</p>;
  const { Drawing } = drawing.value;
  return (
    <Drawing
      lookedAt={lookedAt.value}
      current={{ path: of.path, name: qualified(of) }}
      onChoose={({ path, name: chosen }) => {
        if (chosen !== undefined) void go({ path, ...split(chosen) });
      }}
    />
  );
}

/** Callers on the left, what is called on the right. */
function Graph({ of, definitions: found, callers, callees }: CallersResponse & { readonly of: Place }) {
  const [first] = found;
  return (
    <div class="call-graph">
      <div>
        <h3>used by {upTo(callers.length)}</h3>
        <ul>
          {callers.map(({ path, line, enclosing, kind, confidence }) => (
            <li key={`${path}:${line}:${kind}`} class={confidence} title={SURE[confidence]}>
              <NameButton
                place={enclosing === null ? undefined : { path, ...split(enclosing) }}
                name={enclosing ?? "top level"}
                note={`${path}:${line}${kind === "call" ? "" : `, ${kind}`}`}
              />
            </li>
          ))}
        </ul>
      </div>
      <div class="centre">
        <h3>{qualified(of)}</h3>
        <code>{first?.signature}</code>
        <p class="hint">
          {first?.path}:{first?.startLine}–{first?.endLine}
        </p>
      </div>
      <div>
        <h3>uses {upTo(callees.length)}</h3>
        <ul>
          {callees.map(({ path, name: called, container, startLine, kind, confidence }) => (
            <li key={`${path}:${startLine}:${called}:${kind}`} class={confidence} title={SURE[confidence]}>
              <NameButton place={{ path, name: called, container }} note={`${path}:${startLine}`} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const SURE = {
  exact: "in scope, or imported by name",
  imported: "through a namespace, a re-export or a type",
  name: "the same name only",
};

interface NameButtonProps {
  /** `undefined`: no definition to go to. */
  readonly place: Place | undefined;
  readonly name?: string;
  readonly note: string;
}

function NameButton({ place, name: shown, note }: NameButtonProps) {
  return (
    <>
      {place ? (
        <button type="button" class="path" onClick={() => void go(place)}>
          {shown ?? qualified(place)}
        </button>
      ) : (
        <span>{shown}</span>
      )}
      <span class="note">{note}</span>
    </>
  );
}

async function find(event: Event): Promise<void> {
  event.preventDefault();
  const asked = name.peek().trim();
  if (!asked) return;
  await tell(async (signal) => {
    const inside = workspace.peek();
    const query = { workspace: inside, name: asked, limit: 20 };
    const { symbols } = await ask<SymbolsResponse>("/v1/symbols", { query, signal });
    where.value = inside;
    definitions.value = symbols;
    graph.value = undefined;
    lookedAt.value = [];
    const [first] = symbols;
    if (first) await askCalls(first, signal);
  });
}

const go = (of: Place): Promise<void> => tell((signal) => askCalls(of, signal));

async function askCalls(of: Place, signal: AbortSignal): Promise<void> {
  const query = { workspace: where.peek(), path: of.path, name: qualified(of), limit: MOST };
  const found = await ask<CallersResponse>("/v1/callers", { query, signal });
  if (drawing.peek() === undefined) loadDrawing();
  const step = { of: { path: of.path, name: qualified(of) }, answer: found };
  const others = lookedAt.peek().filter((one) => keyOf(one.of) !== keyOf(step.of));
  batch(() => {
    lookedAt.value = [...others, step].slice(-MOST_STEPS);
    graph.value = { ...found, of };
  });
}

async function tell(does: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const signal = next();
  try {
    await does(signal);
    problem.value = undefined;
  } catch (error) {
    if (signal.aborted) return;
    problem.value = wordsOf(error);
  }
}

/** As many as an answer may hold. */
const MOST = 200;

const upTo = (found: number): string => (found < MOST ? count(found) : `${count(MOST)} or more`);

const qualified = ({ container, name: own }: Pick<Place, "container" | "name">): string =>
  container ? `${container}.${own}` : own;

function split(path: string): Pick<Place, "container" | "name"> {
  const dot = path.lastIndexOf(".");
  return { container: dot < 0 ? null : path.slice(0, dot), name: path.slice(dot + 1) };
}
