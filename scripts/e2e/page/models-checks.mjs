/** What the Models view says is what the server says. */
import assert from "node:assert/strict";
import { FETCHED, MODELS } from "./model-shelf.mjs";

const WORDS = { true: /yes/, false: /no/, null: /only a try would tell/ };

export async function modelsChecks({ checks, tour, shot, url }) {
  const { page } = tour;
  const machine = async () => (await fetch(`${url}/v1/machine`)).json();
  await checks.check("models says which can infill, and which fit this machine", async () => {
    await tour.goTo("Models");
    const rows = page.locator("table.models tbody tr");
    const row = (model) => rows.filter({ hasText: model });
    const { memory, models } = await machine();
    assert.equal(models.length, MODELS.length);
    for (const { name, canInfill } of models) await tour.says(row(name), WORDS[canInfill]);
    await tour.says(row("giant-coder:400b"), /4\.0 TB.*no/);
    const gigabytes = Math.round(memory.total / 1e9);
    await tour.says(page.locator(".memory"), new RegExp(`of ${gigabytes} GB are free`));
  });
  await checks.check("models says how fast the model is, as the server measured it", async () => {
    const running = page.locator("section", { hasText: "What completes" });
    const { engine } = await machine();
    assert.ok(engine.calls > 0, "the playground asked it before");
    await tour.says(running, new RegExp(`Measured over ${engine.calls} calls?`));
    await tour.says(running.locator(".figures"), /\d m?s to the first text/);
    await tour.says(page.locator("section", { hasText: "Self-test" }), /untested.*def add\(a, b\):/s);
    await shot("models");
  });
  await checks.check("a model is fetched with its progress, and can be chosen then", async () => {
    const card = page.locator("section", { hasText: "Fetch another" });
    await page.getByLabel("Model, as Ollama names it").fill(FETCHED.name);
    await card.getByRole("button", { name: "Fetch" }).click();
    await tour.says(card, /pulling 1a2b3c: \d+(\.\d+)? .?B of 2\.0 GB/);
    await shot("models-fetch");
    const [value, max] = await card.getByRole("progressbar").evaluate((bar) => [bar.value, bar.max]);
    assert.ok(value < max && max === FETCHED.size, `${value} of ${max}`);
    await tour.says(card, new RegExp(`Ollama has ${FETCHED.name} now`));
    await tour.says(page.locator("table.models"), new RegExp(`${FETCHED.name}.*2\\.0 GB`));
  });
}
