import { expect, test } from "vitest";
import { cachedEngineDir, cachedModelFile } from "./likelihood-engine.ts";
import { MOST_TOKENS, openLanguageModel } from "./likelihood-model.ts";

const isThere = cachedEngineDir() !== undefined && cachedModelFile() !== undefined;

test.skipIf(!isThere)("SmolLM2 expects a name more where its definition stands in the context", async () => {
  const model = await openLanguageModel({ say: console.log });
  try {
    const open = model.tokenize('// main.go\nfunc main() {\n\tserver := NewServer("é漢😀")\n\tserver.');
    const name = model.tokenize("reconcileLedgerEntries");
    const context = model.tokenize("// server.go\nfunc (s *Server) reconcileLedgerEntries(c *Context) {\n\n");
    const ask = async (before: readonly number[]) =>
      (await model.nats([...before, ...open, ...name], before.length + open.length)).reduce((a, b) => a + b);

    expect(model.detokenize(open)).toContain('NewServer("é漢😀")\n\tserver.');
    const without = await ask([]);
    const shown = await ask(context);
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(without - 2);
    // The state that is kept between calls changes nothing.
    expect(await ask([])).toBeCloseTo(without, 2);
    await expect(model.nats(new Array<number>(MOST_TOKENS + 1).fill(1), 1)).rejects.toThrow(RangeError);
  } finally {
    await model.close();
  }
});

test.runIf(!isThere)("says that the model is not in the cache", ({ skip }) => {
  skip("npm run eval -- likelihood has not fetched node-llama-cpp and SmolLM2 yet");
});
