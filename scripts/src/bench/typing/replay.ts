/** A user who types what a commit added, mistypes now and then, and accepts ghost text that is right. */
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, type Random } from "../random.ts";
import type { FakeOllama } from "./fake-ollama.ts";
import type { Insertion } from "./insertion.ts";
import type { Editor, NamedPolicy } from "./policy.ts";

export interface UserOptions {
  /** Of suggestions that are right, how many are accepted, 0 to 1. */
  readonly accepts: number;
  readonly seed: number;
  /** Real milliseconds for one of the user's. */
  readonly scale: number;
}

export interface Typed {
  /** Changes of the text: characters, deletions and accepts. */
  readonly keystrokes: number;
  readonly accepts: number;
  readonly charactersAccepted: number;
  /** Keystrokes with ghost text before the next one. */
  readonly shown: number;
  /** Of them, those with text before any engine call for them had begun. */
  readonly shownWithoutEngine: number;
  /** The user's milliseconds from the keystroke to the ghost text, of those that got any. */
  readonly waitsMs: readonly number[];
  /** Ghost text that was replaced, while the user did nothing, by one that does not begin with it. */
  readonly flickers: number;
  /** Of what was drawn before the model wrote anything: how often, and how often it was not what the user went on to type. */
  readonly previews: number;
  readonly wrongPreviews: number;
}

/** Milliseconds between keystrokes of a fast typist; people type faster within a word than between. */
const GAP_MS = 110;
const LINE_END_MS = 450;
const READ_MS = 350;
const MISTYPES = 0.03;
/** What is shorter is typed sooner than it is read. */
const WORTH_ACCEPTING = 4;

export async function replay(
  insertions: readonly Insertion[],
  policy: NamedPolicy,
  engine: FakeOllama,
  model: string,
  { accepts, seed, scale }: UserOptions,
): Promise<Typed> {
  const random = createRandom(seed);
  const result = {
    keystrokes: 0,
    accepts: 0,
    charactersAccepted: 0,
    shown: 0,
    shownWithoutEngine: 0,
    flickers: 0,
    previews: 0,
    wrongPreviews: 0,
  };
  const waitsMs: number[] = [];
  let ghost = "";
  let changedAt = 0;
  let drawnAt: number | undefined;
  let callsWhenDrawn = 0;
  /** What the user is going to type. */
  let ahead = "";
  let aheadOf: (editor: Editor) => string = () => "";

  const running = await policy.start({
    draw(text, isPreview = false) {
      if (isPreview) {
        result.previews++;
        if (!ahead.startsWith(text)) result.wrongPreviews++;
      }
      if (ghost && text && !text.startsWith(ghost)) result.flickers++;
      ghost = text;
      if (!text || drawnAt !== undefined) return;
      drawnAt = performance.now();
      callsWhenDrawn = engine.counts.requests;
    },
    asking: (prefix) => engine.asked(prefix),
    scale,
    engineUrl: engine.url,
    model,
  });

  /** One change of the text, and the time until the next. */
  async function change(editor: Editor, why: "typed" | "accepted" | "moved", pauseMs: number): Promise<void> {
    const calls = engine.counts.requests;
    ghost = "";
    ahead = aheadOf(editor);
    drawnAt = undefined;
    changedAt = performance.now();
    engine.typed(editor.prefix);
    running.changed(editor, why);
    await sleep(pauseMs * scale);
    // Who sees something read it first.
    if (ghost && drawnAt !== undefined && random.next() < accepts) {
      const left = READ_MS * scale - (performance.now() - drawnAt);
      if (left > 0) await sleep(left);
    }
    if (why === "moved") return;
    result.keystrokes++;
    if (drawnAt === undefined) return;
    result.shown++;
    if (callsWhenDrawn === calls) result.shownWithoutEngine++;
    waitsMs.push((drawnAt - changedAt) / scale);
  }

  for (const { path, before, lines, after } of insertions) {
    engine.aim(before + lines + after);
    const whole = before + lines;
    aheadOf = ({ prefix }) => (whole.startsWith(prefix) ? whole.slice(prefix.length) : "");
    const at = (done: string, mistake = ""): Editor => ({
      path,
      prefix: before + done + mistake,
      suffix: after,
    });
    let done = "";
    await change(at(done), "moved", LINE_END_MS);
    while (done.length < lines.length) {
      const rest = lines.slice(done.length);
      if (worthAccepting(ghost, rest) && random.next() < accepts) {
        result.accepts++;
        result.charactersAccepted += ghost.length;
        done += ghost;
        await change(at(done), "accepted", pauseAfter(done, random));
        continue;
      }
      if (random.next() < MISTYPES) {
        await change(at(done, "q"), "typed", GAP_MS * 2);
        await change(at(done), "typed", GAP_MS);
      }
      // Editors indent by themselves.
      const [typed = ""] = /^(?:\n[ \t]*|[^\n])/u.exec(rest) ?? [];
      done += typed;
      await change(at(done), "typed", pauseAfter(done, random));
    }
  }
  await running.close();
  return { ...result, waitsMs };
}

const worthAccepting = (ghost: string, rest: string): boolean =>
  ghost.trim().length >= WORTH_ACCEPTING && rest.startsWith(ghost);

function pauseAfter(done: string, random: Random): number {
  const spread = 0.5 + random.next();
  if (/\n[ \t]*$/.test(done)) return LINE_END_MS * spread;
  return (/\w$/.test(done) ? GAP_MS * 0.8 : GAP_MS * 1.4) * spread;
}
