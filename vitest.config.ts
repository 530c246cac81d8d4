import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests run from source: the `source` condition of each package's `exports` points at `src/*.ts`.
export default defineConfig({
  resolve: {
    conditions: ["source"],
    // Only an editor has the real one.
    alias: { vscode: fileURLToPath(new URL("extension/src/testing/fake-vscode.ts", import.meta.url)) },
  },
  ssr: { resolve: { conditions: ["source"], externalConditions: ["source"] } },
  test: {
    include: ["{core,indexer,server,client,web,extension,cli,scripts}/src/**/*.test.ts"],
    server: { deps: { inline: [/^@dhi\//] } },
    // Real git, SQLite and Chroma on two shared cores: slow is not broken, and a hang still ends.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
});
