/** The instant tier over all workspaces: each answers from its own code alone. */
import type { InstantKnowledge } from "./instant/instant-engine.ts";
import type { InstantStatus } from "./instant/instant-index.ts";
import type { Workspaces } from "./workspaces.ts";

export const instantIndexOf = ({ all, placeOf }: Workspaces): InstantKnowledge => ({
  predict({ workspace, ...at }, limits) {
    // The only one may be called otherwise by now: its name can come from git.
    const asked = all.length > 1 ? { workspace } : {};
    return placeOf(asked).workspace.instant.predict(at, limits);
  },
  async refresh() {
    await Promise.all(all.map(({ instant }) => instant.refresh()));
  },
  status: () => all.map(({ instant }) => instant.status()).reduce(together),
});

function together(a: InstantStatus, b: InstantStatus): InstantStatus {
  const states = [a.state, b.state];
  return {
    state: states.includes("building") ? "building" : states.includes("ready") ? "ready" : "empty",
    files: a.files + b.files,
    tokens: a.tokens + b.tokens,
    storedTokens: a.storedTokens + b.storedTokens,
  };
}
