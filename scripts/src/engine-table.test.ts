import { expect, test } from "vitest";
import { engineTable } from "./engine-table.ts";

const result = (suite: string, title: string, status = "passed", note?: string) => ({
  ancestorTitles: [suite],
  title,
  status,
  meta: { ...(note && { note }) },
});

test("a behaviour is a row, an engine on a server a column", () => {
  const assertionResults = [
    result("ollama engine on a fake Ollama", "ends at maxTokens"),
    result("ollama engine when its server fails", "quotes 404"),
    result("ollama engine on the real server", "ends at maxTokens", "passed", "version 1"),
    result("openai engine on llama-server on the real server", "ends at maxTokens", "failed"),
    result("llama-server engine on the real server (skipped: none)", "ends at maxTokens", "skipped"),
    result("instant engine", "ends at maxTokens"),
    result("what the ollama engine sends", "is the raw prompt"),
  ];
  expect(engineTable({ testResults: [{ assertionResults }] })).toMatchInlineSnapshot(`
    "| behaviour | ollama, fake | ollama, real | openai, real llama-server | llama-server, real | instant |
    | --- | --- | --- | --- | --- | --- |
    | ends at maxTokens | ✓ | ✓ version 1 | ✗ |  | ✓ |
    | quotes 404 | ✓ |  |  |  |  |"
  `);
});
