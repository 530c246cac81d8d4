/** Whether the server knows the folder of this shell, which it may have at another place, as one in a container has. */
import type { Check } from "@dhi/core/config-protocol";
import type { ExplainResponse } from "@dhi/core/protocol";
import { askByPath } from "./path-at-server.ts";
import { hasFields, type Server, ServerAway, ServerRefused } from "./server.ts";

const ABOUT = { id: "paths", title: "This folder" } as const;
const FIX = "npm start -- --workspace DIR; in Compose WORKSPACE in .env, then docker compose up -d";

/** An indexer that hangs, whom the server asks, is told of by other checks. */
const EXPLAINED_MS = 4_000;

/** @param cwd absolute */
export async function checkFolder(cwd: string, server: Server): Promise<Check> {
  try {
    const answer = await askByPath(
      cwd,
      server,
      (path) => server.get("/v1/explain", { path }, isExplained, EXPLAINED_MS),
      isOutside,
    );
    if (isOutside(answer)) return { ...ABOUT, status: "warn", detail: `${cwd} is not served`, fix: FIX };
    const place =
      answer.path === "." || answer.path === "" ? "the workspace" : `${answer.path} of the workspace`;
    return { ...ABOUT, status: "ok", detail: `${cwd} is ${place}` };
  } catch (error) {
    // It has answered before: what it found then counts, and this is all that it did not say.
    if (error instanceof ServerAway)
      return { ...ABOUT, status: "warn", detail: `not known: ${error.message}` };
    if (!(error instanceof ServerRefused)) throw error;
    // Several workspaces, or an indexer that is away: said by other checks.
    return { ...ABOUT, status: "ok", detail: `not known: ${error.message}` };
  }
}

const isExplained = hasFields<ExplainResponse>("path", "indexed", "detail");
const isOutside = ({ skipped }: ExplainResponse): boolean => skipped === "outside";
