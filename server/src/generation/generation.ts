/** One call of an engine. Whoever wants its text follows it, from wherever in the text their editor is by now. */
import type { Generated, OnText } from "../engines/engine.ts";
import { createLogprobs, type Logprobs } from "./logprobs.ts";

/** What a follower makes of the text so far: wants more, has what it can show, or has something else in the editor. */
export type Verdict = "more" | "enough" | "diverged";

export type FollowEnd =
  /** The engine is done. */
  { readonly how: "over"; readonly generated: Generated } | { readonly how: "enough" | "diverged" };

export interface Generation<About = unknown> {
  /** What its caller wants to know of the call later. */
  readonly about: About;
  /** As far as it has come. */
  readonly text: string;
  /** `cut`: ended before the engine was done, so that the last line may be half of one. */
  readonly state: "live" | "over" | "cut";
  /** What the engine said at its end; `undefined` before, and when it was cut. */
  readonly generated: Generated | undefined;
  /** How sure the model was of the text, as far as the engine tells. */
  readonly logprobs: Pick<Logprobs, "mean">;
  /**
   * Calls `read` with the text so far, at once and each time that there is more.
   *
   * When the last follower leaves because it has enough, the engine goes on for some lines: they are the answer once
   * these are accepted. When it leaves for another reason, the call is aborted.
   *
   * @throws {UpstreamError} of the engine
   * @throws AbortError when the signal fires
   * @throws what `read` throws, which is nothing to the call and its other followers
   */
  follow(read: (text: string) => Verdict, signal: AbortSignal): Promise<FollowEnd>;
  /**
   * Resolves once the call has ended. When the signal fires before, and nobody else follows or watches, it is aborted:
   * who would have wanted what is written ahead has something else in the editor.
   */
  watch(signal: AbortSignal): Promise<void>;
  /** Aborts the call if nobody follows it. @returns whether the engine is free of it */
  release(): boolean;
}

/** One for all: the stack of an error of its own would keep the request alive, down to its socket, that ended a call. */
const UNWANTED = new DOMException("nobody wants the text any more", "AbortError");
/** Lines written for nobody yet. More would mostly be thrown away, and somebody pays for the power. */
const LINES_AHEAD = 3;

/**
 * @param run calls the engine; it begins at once
 * @param mayGoOn whether the engine may write on while nobody follows
 */
export function startGeneration<About>(
  about: About,
  run: (onText: OnText, signal: AbortSignal) => Promise<Generated>,
  mayGoOn: () => boolean = () => true,
): Generation<About> {
  const controller = new AbortController();
  const followers = new Set<Follower>();
  const logprobs = createLogprobs();
  let text = "";
  let state: Generation["state"] = "live";
  let generated: Generated | undefined;
  let failure: unknown;
  /** Where in the text the last follower had enough. */
  let leftAt = 0;
  let watchers = 0;

  const ended = run((piece, ofTokens = []) => {
    text += piece;
    logprobs.add(text.length, ofTokens);
    for (const follower of [...followers]) follower.look();
    if (followers.size > 0) return;
    if (!mayGoOn() || text.slice(leftAt).split("\n").length > LINES_AHEAD + 1) cut();
  }, controller.signal).then(
    (result) => {
      // An engine that does not stream says its text only here.
      text = result.text;
      generated = result;
      state = "over";
      for (const follower of [...followers]) follower.look();
    },
    (error: unknown) => {
      if (state === "live") failure = error;
      state = "cut";
      for (const follower of [...followers]) follower.fail(error);
    },
  );

  function cut(): void {
    if (state !== "live") return;
    state = "cut";
    controller.abort(UNWANTED);
  }

  return {
    about,
    logprobs,
    get text() {
      return text;
    },
    get state() {
      return state;
    },
    get generated() {
      return generated;
    },
    follow(read, signal) {
      return new Promise((resolve, reject) => {
        const follower: Follower = {
          look() {
            let verdict: Verdict;
            try {
              verdict = read(text);
            } catch (error) {
              return leave(() => reject(error), "failed");
            }
            if (verdict !== "more") leave(() => resolve({ how: verdict }), verdict);
            else if (generated) {
              const end = { how: "over", generated } as const;
              leave(() => resolve(end), "over");
            }
          },
          fail: (error) => leave(() => reject(error), "over"),
        };
        const onAbort = () => leave(() => reject(signal.reason), "aborted");
        function leave(settle: () => void, why: Verdict | "over" | "aborted" | "failed") {
          followers.delete(follower);
          signal.removeEventListener("abort", onAbort);
          leftAt = text.length;
          const isUnwanted = !(why === "enough" || why === "over") || !mayGoOn();
          if (followers.size === 0 && isUnwanted) cut();
          settle();
        }
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        followers.add(follower);
        follower.look();
        if (followers.has(follower) && state === "cut") follower.fail(failure ?? controller.signal.reason);
      });
    },
    async watch(signal) {
      watchers++;
      let isWatching = true;
      const leave = () => {
        if (!isWatching) return;
        isWatching = false;
        watchers--;
        if (watchers === 0 && followers.size === 0) cut();
      };
      if (signal.aborted) leave();
      signal.addEventListener("abort", leave, { once: true });
      await ended;
      signal.removeEventListener("abort", leave);
    },
    release() {
      if (followers.size === 0) cut();
      return state !== "live";
    },
  };
}

interface Follower {
  look(): void;
  fail(error: unknown): void;
}
