/** Parts of Dhi end, or hang: the page says so, and says when they are back. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./tour.mjs";

export async function faultChecks({ checks, tour, shot, engine, home, workspace }) {
  const { page } = tour;
  const state = page.locator("header .state");
  const parts = page.locator(".parts");
  /** npm start keeps it up to date: what dies is started again. */
  const pidOf = (service) => JSON.parse(readFileSync(join(home, "run.json"), "utf8")).services[service].pid;
  /** After failures the engine is asked for less for a while, which counts as degraded. */
  const recovered = /^(ok|degraded: engine)$/;
  await tour.goTo("Live");

  await checks.check("live says how long completions take, and what is wrong with the set-up", async () => {
    await tour.says(page.locator("table", { hasText: "half within" }), /total.*\d ms/);
    await page.getByRole("button", { name: "Check the set-up" }).click();
    await tour.says(page.locator(".checks"), /Node\.js\s*ok/);
    await shot("live");
  });
  await checks.check("live says what became of ghost text in the playground", async () => {
    const became = page.locator("section", { hasText: "What became of it" });
    await tour.says(became.locator(".figures"), /[1-9]\d* shown.*[1-9]\d* % accepted/);
    await tour.says(became, /python/);
  });
  await checks.check(
    "an open file that changes on the disk is read again, one that goes is said to be gone",
    async () => {
      const gone = join(workspace, "shop", "gifts.py");
      await tour.goTo("Playground");
      await tour.openFile("shop/gifts.py");
      writeFileSync(gone, "def wrapped():\n    return 1\n");
      await eventually(async () => assert.match(await tour.shownText(), /^def wrapped/));
      rmSync(gone);
      await tour.says(page.locator(".answer-line"), /gone from the index/);
      await shot("gone-file");
      await tour.goTo("Live");
    },
  );
  await checks.check("an engine that goes is told, and what came of it; and when it is back", async () => {
    await engine.stop();
    try {
      await tour.says(state, /down: engine/);
      await tour.says(parts, /engine\s*down/);
      await shot("engine-down");
      await tour.goTo("Playground");
      await tour.openFile("shop/checkout.py");
      await tour.type("\nreturn pricing.ship");
      // What failed, or what the tier without a model says instead once it has failed often enough.
      await tour.says(page.locator(".answer-line"), /openai|instant/);
      await shot("engine-down-playground");
    } finally {
      await engine.start();
    }
    await tour.goTo("Live");
    await tour.says(state, recovered);
  });
  await checks.check("a Chroma that hangs is told, and so is that it goes on", async () => {
    const pid = pidOf("chroma");
    process.kill(pid, "SIGSTOP");
    try {
      await tour.says(state, /degraded: .*chroma/);
      await tour.says(parts, /chroma\s*(down|degraded)/);
      await shot("chroma-down");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await tour.says(state, recovered);
  });
  await checks.check("a Chroma that dies is told, completions go on, and the next one is found", async () => {
    const before = pidOf("chroma");
    process.kill(before, "SIGKILL");
    await tour.says(state, /degraded: .*chroma/, 30_000);
    await tour.says(parts, /chroma\s*(down|degraded)/);
    await shot("chroma-killed");
    await tour.goTo("Playground");
    await tour.openFile("shop/orders.py");
    await tour.type("\nz = pricing.shipping_c");
    // How much of it depends on what the engine is asked for, after it was gone.
    assert.match(await tour.ghostText(), /\w/);
    await tour.goTo("Live");
    await tour.says(state, recovered, 60_000);
    assert.notEqual(pidOf("chroma"), before);
  });
  await checks.check("a server that dies is told, and the page goes on with the next one", async () => {
    process.kill(pidOf("server"), "SIGKILL");
    await tour.says(page.getByRole("alert"), /the server does not answer/);
    await shot("server-gone");
    await tour.says(state, recovered, 30_000);
  });
}
