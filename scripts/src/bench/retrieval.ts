/** How long retrieval takes at the keystrokes of someone who types, with nothing else to do and while files are indexed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FimRequestInput, type PromptResponse, promptResponse } from "@dhi/core/protocol";
import { sourcesOf, uniqueName, withDefinition } from "./edit-source.ts";
import { percentile, sum } from "./figures.ts";
import { createRandom, pickSome } from "./random.ts";
import type { Figure, Measured } from "./report.ts";
import { hasEverything, type Stack } from "./stack.ts";
import { typingPlaces } from "./typing-places.ts";

/** Typed at before, at other places: a server that has just started reads from the disk. */
const WARM_UP_PLACES = 20;
/** A fast typist's. */
const BETWEEN_KEYSTROKES_MS = 20;
/** From a click to the first key; an editor tells the server of a cursor that rests for 150 of them. */
const BEFORE_TYPING_MS = 200;
/** An edit changes one chunk, and sometimes the one before. */
const CHANGED_FILES = 1_000;
/** Once everything is indexed before so many keystrokes for each place, files are changed again. */
const KEYSTROKES_PER_PLACE = 3;

interface Keystroke {
  readonly timings: PromptResponse["timings"];
  readonly late: readonly string[];
  /** The first at its place, of which nothing is known unless the cursor had rested there. */
  readonly isFirst: boolean;
  /** At a place where the cursor had rested, so that the server was told of it. */
  readonly isTold: boolean;
}

export interface RetrievalBench {
  readonly stack: Stack;
  readonly repository: string;
  /** Where there are so many. */
  readonly places: number;
  /** Of the 95th percentile, in milliseconds. */
  readonly limitMs: number;
}

/** @param bench with an index that is settled and a server */
export async function idleRetrieval({ stack, limitMs, ...at }: RetrievalBench): Promise<Measured> {
  const { warmUp, places } = placesIn(at);
  for (const requests of warmUp) await typeAt(stack, requests);
  const keystrokes: Keystroke[] = [];
  for (const [i, requests] of places.entries())
    keystrokes.push(...(await typeAt(stack, requests, isAnnounced(i))));
  return { figures: figuresOf(keystrokes, limitMs), notes: [await noteOn(stack, keystrokes)] };
}

/** The repository is changed and not put back. */
export async function busyRetrieval({ stack, limitMs, ...at }: RetrievalBench): Promise<Measured> {
  const { repository } = at;
  const { warmUp, places } = placesIn(at);
  for (const requests of warmUp) await typeAt(stack, requests);
  const random = createRandom(13);
  const keystrokes: Keystroke[] = [];
  let changed = 0;
  for (let round = 0; keystrokes.length < at.places * KEYSTROKES_PER_PLACE; round++) {
    const files = pickSome(sourcesOf(repository), CHANGED_FILES, random);
    for (const path of files) {
      const file = join(repository, path);
      writeFileSync(
        file,
        withDefinition(path, readFileSync(file, "utf8"), uniqueName(`round${round}`, random)),
      );
    }
    changed += files.length;
    await startsIndexing(stack);
    // Until the indexer has nothing more to do, at one place after the other and then from the front.
    for (let i = 0; !hasEverything(await stack.status()); i++)
      keystrokes.push(...(await typeAt(stack, places[i % places.length] ?? [], isAnnounced(i))));
  }
  const note = await noteOn(stack, keystrokes);
  return {
    figures: figuresOf(keystrokes, limitMs),
    notes: [`${note} Meanwhile ${changed} files got a new definition, ${CHANGED_FILES} at a time.`],
  };
}

function placesIn({ repository, places }: Pick<RetrievalBench, "repository" | "places">) {
  const all = typingPlaces(repository, places + WARM_UP_PLACES, createRandom(17));
  return { warmUp: all.slice(0, WARM_UP_PLACES), places: all.slice(WARM_UP_PLACES) };
}

/** Every other place. */
const isAnnounced = (place: number): boolean => place % 2 === 1;

async function typeAt(
  stack: Stack,
  requests: readonly FimRequestInput[],
  announced = false,
): Promise<Keystroke[]> {
  const keystrokes: Keystroke[] = [];
  const [first] = requests;
  if (announced && first) {
    await stack.ask("/v1/warm", { ...first, contextOnly: true });
    await sleep(BEFORE_TYPING_MS);
  }
  for (const request of requests) {
    const { timings, late } = promptResponse.parse(await stack.ask("/v1/prompt", request));
    keystrokes.push({ timings, late, isFirst: keystrokes.length === 0, isTold: announced });
    await sleep(BETWEEN_KEYSTROKES_MS);
  }
  return keystrokes;
}

const STARTED_MS = 30_000;

/** Events come later than writes do. */
async function startsIndexing(stack: Stack): Promise<void> {
  const until = performance.now() + STARTED_MS;
  while (hasEverything(await stack.status())) {
    if (performance.now() > until) throw new Error("the indexer does not see that files changed");
    await sleep(2);
  }
}

function figuresOf(keystrokes: readonly Keystroke[], limitMs: number): Figure[] {
  const both = (what: string, isOne: (keystroke: Keystroke) => boolean, limit?: number): Figure[] => {
    const times = keystrokes.filter(isOne).map(({ timings }) => timings.retrieval);
    return [
      { what: `${what}, p50`, value: percentile(times, 50), unit: "ms" },
      {
        ...{ what: `${what}, p95`, value: percentile(times, 95), unit: "ms" },
        ...(limit !== undefined && { limit }),
      },
    ];
  };
  const legs = new Map<string, number[]>();
  for (const { timings } of keystrokes)
    for (const { leg, ms } of timings.legs) legs.set(leg, [...(legs.get(leg) ?? []), ms]);
  return [
    ...both("every keystroke, nobody told", ({ isTold }) => !isTold, limitMs),
    ...both(
      "every keystroke but a place's first that nobody told of",
      (one) => one.isTold || !one.isFirst,
      limitMs,
    ),
    ...both("a place's first, nobody told", (one) => one.isFirst && !one.isTold),
    ...both("a place's first, the cursor had rested there", (one) => one.isFirst && one.isTold),
    ...both("the next ones", ({ isFirst }) => !isFirst),
    ...[...legs].flatMap(([leg, times]) => [
      { what: `${leg}, p50`, value: percentile(times, 50), unit: "ms" },
      { what: `${leg}, p95`, value: percentile(times, 95), unit: "ms" },
    ]),
    {
      what: "legs that were not waited for",
      value:
        (100 * sum(keystrokes.map(({ late }) => late.length))) / sum([...legs.values()].map((t) => t.length)),
      unit: "%",
    },
  ];
}

async function noteOn(stack: Stack, keystrokes: readonly Keystroke[]): Promise<string> {
  const { files, chunks } = await stack.status();
  const places = keystrokes.filter(({ isFirst }) => isFirst).length;
  return `${files} files, ${chunks} chunks. ${keystrokes.length} keystrokes at ${places} places, one at a time in one session, the usual legs on. A leg's time is from when it was asked to its answer; vector waits for Chroma while the others work.`;
}
