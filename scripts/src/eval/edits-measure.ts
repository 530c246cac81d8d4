/** What the `edits` leg adds at a cursor in the middle of a commit: Dhi asked with it and without it. */
import { setTimeout as sleep } from "node:timers/promises";
import { indexDirResponse, job, usualLegs } from "@dhi/core/protocol";
import { withOpenFile } from "./ask-methods.ts";
import { askPrompt, snippetsOf } from "./dhi.ts";
import { type Git, gitIn } from "./edits-commits.ts";
import type { EditCursor } from "./edits-cursors.ts";
import { BUDGET, coverage } from "./metrics.ts";
import type { Served } from "./served.ts";

export interface EditScores {
  readonly cursor: EditCursor;
  /** Coverage@{@link BUDGET} of the usual legs, without and with `edits`. */
  readonly without: number;
  readonly with: number;
  /** Whether the leg had a candidate. */
  readonly found: boolean;
  /** Share of the needed names that the edits have at all: more they cannot give. */
  readonly inEdits: number;
}

const others = usualLegs.filter((leg) => leg !== "edits");

/** @param dir a clone nobody else works in, the workspace that is served: each cursor's commit is checked out there */
export async function measureEdits(
  served: Served,
  dir: string,
  cursors: Iterable<EditCursor>,
  progress: (done: number) => void = () => {},
): Promise<EditScores[]> {
  const git = gitIn(dir);
  const scores: EditScores[] = [];
  let checkedOut = "";
  for (const cursor of cursors) {
    if (cursor.commit !== checkedOut) await checkOut(served, git, cursor);
    checkedOut = cursor.commit;
    scores.push(await measureOne(served, cursor, scores.length + 1));
    progress(scores.length);
  }
  return scores;
}

function measureOne(served: Served, cursor: EditCursor, version: number): Promise<EditScores> {
  const { surroundings, needed, editedText } = cursor;
  const ask = (legs: typeof usualLegs) =>
    askPrompt({ served, cursor, surroundings }, { contextTokens: BUDGET, legs });
  return withOpenFile({ served, cursor }, version, async () => {
    const [without, all] = [await ask(others), await ask([...others, "edits"])];
    return {
      cursor,
      without: coverage(snippetsOf(without), needed),
      with: coverage(snippetsOf(all), needed),
      found: all.candidates.some(({ leg }) => leg === "edits"),
      inEdits: coverage([{ path: "", startLine: 1, endLine: 1, text: editedText }], needed),
    };
  });
}

/** Returns when the index, its vectors too, holds the commit's tree. */
async function checkOut(served: Served, git: Git, { commit, package: workspace }: EditCursor): Promise<void> {
  git("checkout", "--quiet", "--force", "--detach", commit);
  const started = indexDirResponse.parse(await served.post("/index-dir", { workspace }));
  for (; ; await sleep(ASK_EVERY_MS)) {
    const answer = await fetch(`${served.url}/v1/jobs/${started.job}`, {
      headers: { accept: "application/json" },
    });
    const { state, error } = job.parse(await answer.json());
    if (state === "running") continue;
    if (state !== "done") throw new Error(`${workspace} at ${commit} cannot be indexed: ${error ?? state}`);
    break;
  }
  await served.settled();
}

const ASK_EVERY_MS = 50;
