/** Where the names that a completion wrote are defined, for an engine that was shown no snippets. */
import { identifiersOf } from "@dhi/core/identifiers";
import type { FimRequest, Source } from "@dhi/core/protocol";
import type { IndexHandle } from "./index-handle.ts";
import { namesDefined } from "./names-defined.ts";
import { retrievalQuery } from "./query.ts";

/** @returns one source per definition in another file, at most four a name; tokens are 0, since no prompt was read */
export function createDefinedIn(index: IndexHandle): (request: FimRequest, completion: string) => Source[] {
  return (request, completion) => {
    const db = index.get();
    if (!db || !completion) return [];
    // The completion may end a name that was begun.
    const { partial } = retrievalQuery(request);
    const names = [...new Set(identifiersOf(partial + completion))];
    return namesDefined(db, { path: request.path, names }).map(({ path, startLine, endLine }) => ({
      path,
      startLine,
      endLine,
      legs: ["definitions"],
      score: 0,
      tokens: 0,
    }));
  };
}
