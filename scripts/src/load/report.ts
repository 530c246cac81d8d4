/** `docs/bench/load.md`. */
import type { SectionsReport } from "../bench/sections.ts";

export const loadReport: SectionsReport = {
  name: "load",
  titles: { sessions: "Many editors on one engine", soak: "Many requests", faults: "An engine that fails" },
  head: `# Load

The server with index, Chroma and a fake engine on a small repository, under load, measured with \`npm run bench:load\`. The
engine answers one call at a time, some 30 ms a line; in "Many requests" at once. Each editor types in a file of its own, in which
every name says whose it is: text of another session is found by that.

- *p95* is of the time from a request to its whole answer, of those that were not given up for the next keystroke.
- No session's shall be above twice that of the middle one; no request shall fail, hang, or get another session's text.
`,
};
