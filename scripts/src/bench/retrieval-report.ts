/** `docs/bench/retrieval.md`. */
import type { Report } from "./report.ts";

export const retrievalReport: Report = {
  name: "retrieval",
  head: `# Retrieval, measured

Made by \`npm run bench:retrieval\` (\`-- --help\` lists its flags); do not edit. One run on one machine, which is not yours. The
repositories are generated from real packages in six languages (\`scripts/src/source-packages.ts\`), the embedder is \`hash\`;
indexer, server and Chroma are processes of their own and share the cores with the bench. Times are the server's own, from
\`timings\` of \`POST /v1/prompt\`: retrieval is all legs, their fusion and what waits between them.
Eight keystrokes are typed at each place, the first of which finds nothing known of it. *Nobody told* are those at every other
place, where the cursor jumps and types at once: the plain figure, one in eight at a new place. At the other places the
cursor rests first, as after a click, and the server is told (\`POST /v1/warm\`), as the extension does. The limit is
that of a warm retrieval, which is the second row; it stands against both.
`,
  titles: { idle: "Nothing else to do", indexing: "While changed files are indexed" },
};
