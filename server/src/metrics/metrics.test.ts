import { startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import { type FakeModel, startFakeOllama } from "../testing/fake-ollama.ts";
import { type Served, serve } from "../testing/serve.ts";
import { shownModels } from "../testing/shown-models.ts";

const MODEL = "qwen2.5-coder:1.5b-base";
const status = {
  ...{ workspace: "shop", state: "watching", files: 2, chunks: 3, symbols: 4, skipped: {} },
  ...{ lastChangeAt: null, job: null, pendingEmbeddings: 5 },
  embedder: { id: "hash", status: "ok", detail: "" },
  vectors: { collection: "c", status: "ok", detail: "", stored: 3 },
  counters: { filesParsed: 0, textsEmbedded: 0 },
};

/** @returns lines of the text by name and labels */
async function figures(server: Served): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${server.url}/metrics`);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await response.text()).split("\n").filter((line) => line && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}
const complete = (server: Served, prefix: string) =>
  server.send("POST", "/v1/fim", { path: "src/secretName.ts", prefix });

test("counts answers and failures by reason, and times each hop", async () => {
  const library: Record<string, FakeModel> = { [MODEL]: { shown: shownModels.qwen } };
  await using ollama = await startFakeOllama(library);
  await using indexer = await startFakeServer(
    (_, response) => void response.end(JSON.stringify({ workspaces: [status, status] })),
  );
  await using server = await serve({ OLLAMA_HOST: ollama.url, INDEXER_HOST: indexer.url, ENGINE: "ollama" });
  await complete(server, "secretPrefix = a ");
  await complete(server, "secretPrefix = a ");
  library[MODEL] = { shown: shownModels.qwen, answer: "  \n" };
  await complete(server, "other = a ");
  delete library[MODEL];
  await complete(server, "third = a ");

  const found = await figures(server);
  const labels = (reason: string, reuse: string) =>
    `dhi_completions_total{reason="${reason}",engine="ollama",mode="rag",reuse="${reuse}"}`;
  expect(
    [labels("ok", "none"), labels("ok", "cached"), labels("blank", "none")].map((l) => found.get(l)),
  ).toEqual([1, 1, 1]);
  expect(found.get('dhi_failures_total{code="upstream"}')).toBe(1);
  for (const hop of ["queue", "retrieval", "prompt", "engine", "postprocess", "total"])
    expect(found.get(`dhi_hop_seconds_count{hop="${hop}",engine="ollama",mode="rag"}`)).toBe(3);
  // The second answer cost nothing.
  expect(found.get('dhi_tokens_total{kind="prompt",engine="ollama"}')).toBe(10);
  expect(found.get('dhi_degrade_step{engine="ollama"}')).toBe(0);
  expect(found.get('dhi_calls{engine="ollama",state="waiting"}')).toBe(0);
  expect([found.get('dhi_index{of="files"}'), found.get('dhi_index{of="pendingEmbeddings"}')]).toEqual([
    4, 10,
  ]);
  expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  const text = [...found.keys()].join("\n");
  expect(text).not.toMatch(/secret|shop|\.ts/);
});

test("with the indexer away the rest is told", async () => {
  await using server = await serve({ ENGINE: "instant" });
  await complete(server, "a = ");
  const found = await figures(server);
  expect([...found.keys()].some((key) => key.startsWith("dhi_index"))).toBe(false);
  expect(found.get('dhi_degrade_step{engine="instant"}')).toBe(0);
});
