/**
 * From a keystroke to ghost text: what is known already → what is on its way → debounce → request.
 *
 * One request is live at a time, as the server sees it. A keystroke ends the older one only if what that writes is not
 * what is being typed; otherwise the newer request is sent beside it and the server joins the two, because they have a
 * session in common. So nothing here aborts what may still be the answer.
 */
import type { FimDone, FimRequestInput } from "@dhi/core/protocol";
import { type Call, type CallOptions, isOfUse, startCall, verdictOf } from "./completion-calls.ts";
import type { Place, Rest } from "./rest-of-answer.ts";
import { wait } from "./wait.ts";

export interface Asked extends Place {
  /** To wait before a request leaves; 0 for none. */
  readonly debounceMs: number;
  /** By hand: what had no answer a moment ago is asked again, and the answer is waited for until it is whole. */
  readonly isManual: boolean;
  /** Called when one is to leave. @returns `undefined` when the code has changed since: that is asked for by itself */
  readonly request: () => FimRequestInput | undefined;
}

export interface Suggestion extends Rest {
  readonly request: FimRequestInput;
  /** `undefined` while more of it may come. */
  readonly answer: FimDone | undefined;
  /** No request was needed. */
  readonly isKnown: boolean;
}

export interface CompletionFlow {
  /** @returns `undefined` for nothing to show, and always once the signal has fired: a late answer is never shown */
  complete(asked: Asked, signal: AbortSignal): Promise<Suggestion | undefined>;
  /**
   * Everything that can be shown at the place, each text once, what `complete` returns first.
   *
   * @param requests sent side by side, unless there were some at this place before; the server must not end one for another
   */
  alternatives(
    place: Place,
    requests: () => readonly FimRequestInput[],
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]>;
  /** The cursor is elsewhere, or not in an editor: nobody waits any more. */
  abandon(): void;
  /** What may be asked is decided anew: nothing that was asked before is sent, read on, or shown. */
  stop(): void;
}

export interface FlowDeps extends Pick<CallOptions, "fetch" | "onEnd"> {
  /** Called with 1 when a request leaves and with -1 when it has ended in any way. */
  readonly onLoading: (change: 1 | -1) => void;
  /**
   * What was returned last has more lines by now, or was a preview that another text, or none, has taken the place of:
   * asking for the same place again returns what there is, without a request. Called each time, until something is asked for.
   *
   * @param isWhole no more will come
   */
  readonly onGrown: (isWhole: boolean) => void;
  /** Called per answer with the time from the request's leaving to the first text, or to the end of one without. */
  readonly onHeard?: (ms: number) => void;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  readonly graceMs?: number;
}

/**
 * How long a request that nobody waits for goes on. VS Code cancels at each keystroke and asks again some 50 ms later;
 * the cursor that was moved or the Escape that was pressed is followed by nothing.
 */
const GRACE_MS = 250;
/** As many answers as may be of use when typing takes turns between a few places. */
const KEPT = 32;
/** As long as the server keeps them: the rest of the repository moves on. */
const MAX_AGE_MS = 120_000;
/** How long "nothing" holds. An editor may ask several times about one place, and the server may do better soon. */
const NOTHING_MS = 1_000;

interface Entry {
  readonly call: Call;
  readonly since: number;
  /** Negative infinity before. */
  doneAt: number;
  /** Another text for a place that has one. */
  readonly isAlternative: boolean;
  waiting: number;
  grace: ReturnType<typeof setTimeout> | undefined;
}

export function createCompletionFlow({
  fetch,
  onEnd,
  onLoading,
  onGrown,
  onHeard = () => {},
  now = () => performance.now(),
  graceMs = GRACE_MS,
}: FlowDeps): CompletionFlow {
  /** Newest first, and after them the alternatives of places. */
  let entries: Entry[] = [];
  /** What was returned while more of it was to come. */
  let growing: { readonly stop: () => void } | undefined;
  let stops = 0;

  return {
    async complete(asked, signal) {
      if (signal.aborted) return undefined;
      const before = stops;
      growing?.stop();
      const attended = attend(asked);
      try {
        let found = known(asked);
        if (!found && !asked.isManual && isKnownEmpty(asked)) return undefined;
        if (!found && asked.debounceMs > 0) {
          await wait(asked.debounceMs, signal);
          if (stops !== before) return undefined;
          found = known(asked);
        }
        const isKnown = found !== undefined;
        found ??= await answered(send(asked), asked, signal);
        if (found && asked.isManual) found = await wholeOf(found, asked, signal);
        // Answered and cancelled in one turn of the event loop: the editor has moved on.
        return found && !signal.aborted && stops === before ? show(found, asked, isKnown) : undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      } finally {
        for (const entry of attended) leave(entry);
      }
    },
    async alternatives(place, requests, signal) {
      const stopsBefore = stops;
      const before = entries.filter(
        ({ call, isAlternative }) => isAlternative && call.state !== "ended" && isSame(call, place),
      );
      const asked = before.length ? before : requests().map((request) => start(place, request));
      asked.forEach(hold);
      await Promise.all(asked.map(({ call }) => ended(call, signal))).catch(() => {});
      asked.forEach(leave);
      if (signal.aborted || stops !== stopsBefore) return [];
      const found = entries.flatMap((entry) => {
        const verdict = verdictOf(entry.call, place);
        return verdict.kind === "rest" ? [{ ...verdict, entry }] : [];
      });
      const isNew = ({ rest }: Found, index: number) =>
        found.findIndex((other) => other.rest.text === rest.text) === index;
      return found.filter(isNew).map((one) => suggestionOf(one, true));
    },
    abandon() {
      growing?.stop();
      for (const { call, waiting } of entries) if (waiting === 0) call.abort();
    },
    stop() {
      stops++;
      growing?.stop();
      for (const { call } of entries) call.abort();
    },
  };

  /** Ends the calls that are of no use at this place, what is written ahead for them too, and holds the others that are live. */
  function attend(place: Place): Entry[] {
    const oldest = now() - MAX_AGE_MS;
    entries = entries.filter(({ call, since }) => call.state === "live" || since >= oldest);
    const held: Entry[] = [];
    for (const entry of entries) {
      const { call } = entry;
      if (!isOfUse(call, place)) call.abort();
      else if (call.state === "live") held.push(entry);
    }
    held.forEach(hold);
    return held;
  }

  function hold(entry: Entry): void {
    entry.waiting++;
    clearTimeout(entry.grace);
  }

  function leave(entry: Entry): void {
    entry.waiting--;
    if (entry.waiting > 0 || entry.call.state !== "live") return;
    entry.grace = setTimeout(() => entry.call.abort(), graceMs);
  }

  function known(place: Place): Found | undefined {
    for (const entry of entries) {
      const verdict = verdictOf(entry.call, place);
      if (verdict.kind === "rest") return { ...verdict, entry };
    }
    return undefined;
  }

  function isKnownEmpty(place: Place): boolean {
    const since = now() - NOTHING_MS;
    return entries.some(({ call, doneAt }) => doneAt >= since && verdictOf(call, place).kind === "nothing");
  }

  async function answered(
    entry: Entry | undefined,
    place: Place,
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    if (!entry) return undefined;
    const { call } = entry;
    try {
      for (;;) {
        const verdict = verdictOf(call, place);
        if (verdict.kind === "rest") return { ...verdict, entry };
        if (call.state !== "live") return undefined;
        await nextChange(call, signal);
      }
    } finally {
      leave(entry);
    }
  }

  function send(asked: Asked): Entry | undefined {
    const request = asked.request();
    if (!request) return undefined;
    const older = attend(asked);
    older.forEach(leave);
    const entry = start(asked, request, {
      onEnd,
      onHeard(ms) {
        for (const { call } of older) call.abort();
        onHeard(ms);
      },
    });
    hold(entry);
    return entry;
  }

  /** @param told whom; an alternative is nobody's business but the user's who asked for it */
  function start(
    { scope, prefix, suffix }: Place,
    request: FimRequestInput,
    told?: Pick<CallOptions, "onEnd" | "onHeard">,
  ): Entry {
    onLoading(1);
    const call = startCall({ scope, prefix, suffix }, request, {
      fetch: (...call) => fetch(...call).finally(() => onLoading(-1)),
      onEnd(end) {
        entry.doneAt = now();
        told?.onEnd(end);
      },
      onHeard: told?.onHeard ?? (() => {}),
    });
    const entry: Entry = {
      ...{ call, since: now(), doneAt: Number.NEGATIVE_INFINITY, isAlternative: !told },
      ...{ waiting: 0, grace: undefined },
    };
    const others = entries.filter(({ call }) => call.state !== "ended" || call.text);
    // The answer of a place stays before its alternatives.
    entries = withinKept(told ? [entry, ...others] : [...others, entry]);
    return entry;
  }

  function show(found: Found, place: Place, isKnown: boolean): Suggestion {
    const { entry, rest } = found;
    const { call } = entry;
    growing?.stop();
    call.shows(found.isPreview ? "preview" : "text");
    if (call.state === "live") {
      hold(entry);
      const stopListening = call.onChange(() => {
        const verdict = verdictOf(call, place);
        const isWhole = call.state !== "live";
        if (isWhole) growing?.stop();
        const isOther = verdict.kind === "rest" && verdict.rest.text !== rest.text;
        const isWithdrawn = found.isPreview && verdict.kind === "nothing";
        if (isOther || isWithdrawn) onGrown(isWhole);
      });
      growing = {
        stop() {
          growing = undefined;
          stopListening();
          leave(entry);
        },
      };
    }
    return suggestionOf(found, isKnown);
  }
}

/** @returns all of them, but the oldest where there are too many: alternatives are last, and may be the newest */
function withinKept(entries: Entry[]): Entry[] {
  if (entries.length <= KEPT) return entries;
  const oldest = Math.min(...entries.map(({ since }) => since));
  const last = entries.findLast(({ since }) => since === oldest);
  return entries.filter((entry) => entry !== last);
}

/** @returns `undefined` for a preview that the answer has withdrawn */
async function wholeOf(found: Found, place: Place, signal: AbortSignal): Promise<Found | undefined> {
  const { entry, isPreview } = found;
  await ended(entry.call, signal);
  const verdict = verdictOf(entry.call, place);
  if (verdict.kind === "rest") return { ...verdict, entry };
  return isPreview && entry.call.state === "done" ? undefined : found;
}

const suggestionOf = ({ entry: { call }, rest, isPreview }: Found, isKnown: boolean): Suggestion => ({
  ...rest,
  ...{ request: call.request, answer: isPreview ? undefined : call.answer, isKnown },
});

const isSame = (a: Place, b: Place): boolean =>
  a.scope === b.scope && a.prefix === b.prefix && a.suffix === b.suffix;

interface Found {
  readonly entry: Entry;
  readonly rest: Rest;
  readonly isPreview?: boolean;
}

/** @throws the signal's reason when it fires first */
async function ended(call: Call, signal: AbortSignal): Promise<void> {
  while (call.state === "live") await nextChange(call, signal);
}

function nextChange(call: Call, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = call.onChange(() => {
      signal.removeEventListener("abort", aborted);
      stop();
      resolve();
    });
    function aborted(): void {
      stop();
      reject(signal.reason);
    }
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted, { once: true });
  });
}
