/** It says why: hover, prompt, why here, explain, doctor, walkthrough. */
import assert from "node:assert/strict";

const FILE = "shop/checkout.py";

export async function viewChecks({ asked, check, page, shot, workbench }) {
  await check("the hover tells model, index and the time by hop, with links", async () => {
    await workbench.openFile(FILE);
    await workbench.type("\nreturn pricing.tot");
    await workbench.ghostText(FILE);
    const hover = await workbench.statusHover();
    await shot("hover");
    for (const words of ["Model", "Index", "follows every change", "Last answer", "Doctor"])
      assert.ok(hover.includes(words), `${words} is not in: ${hover}`);
    await workbench.press("Escape");
    await workbench.deleteLine(); // a line that ends there would be learnt from
  });
  await check("Dhi: Show Last Prompt shows what was sent, with links into the files", async () => {
    await workbench.runCommand("Dhi: Show Last Prompt");
    const text = await workbench.pageText("Last Prompt.md");
    await shot("prompt");
    assert.match(text, /^# What the model was given/);
    assert.match(text, /shop\/pricing\.py:\d+-\d+/);
    await workbench.followLink("shop/pricing.py");
    await page.waitForSelector('.monaco-editor[data-uri$="/shop/pricing.py"]');
  });
  await check("Dhi: Why No Suggestion Here? asks the server and says", async () => {
    await workbench.openFile(FILE);
    await workbench.type("    ");
    await workbench.save();
    const completions = asked.count("/v1/fim");
    await workbench.runCommand("Dhi: Why No Suggestion Here?");
    const words = await workbench.notification(/No suggestion: |There is a suggestion here/);
    assert.ok(asked.count("/v1/fim") > completions, "the server was not asked");
    await workbench.clearNotifications();
    return words;
  });
  await check("Dhi: Explain File tells that a file is in the index", async () => {
    await workbench.runCommand("Dhi: Explain File");
    const words = await workbench.notification("is in the index");
    await workbench.clearNotifications();
    return words;
  });
  await check("Dhi: Doctor finds no fault, on this side and on the server's", async () => {
    await workbench.runCommand("Dhi: Doctor");
    const text = await workbench.pageText("Doctor.md");
    await shot("doctor");
    assert.match(text, /✓ Server answers: in \d+ ms/);
    assert.match(text, /## The server/);
    assert.doesNotMatch(text, /✗/);
  });
  await check("Dhi: Get Started opens the walkthrough, whose first step is done", async () => {
    await workbench.runCommand("Dhi: Get Started");
    await page.waitForSelector('.gettingStartedContainer :text("Start a server")');
    await page.waitForSelector(
      '.getting-started-step[data-step-id$="#server"].done, [data-done-step-id$="#server"].codicon-getting-started-step-checked',
    );
    await page.waitForTimeout(500); // its page is drawn
    await shot("walkthrough");
  });
  await check("Dhi: Try a Sample gets a first suggestion", async () => {
    await workbench.openFile("shop/invoices.py");
    await workbench.runCommand("Dhi: Try a Sample");
    await page.waitForSelector(".ghost-text-decoration");
    await shot("sample");
    await workbench.press("Escape");
    await workbench.press("Control+Z");
    await page.waitForSelector(".tab.active:not(.dirty)");
  });
  await check("VS Code starts it in less than a second, and tells how fast", async () => {
    await workbench.runCommand("Developer: Show Running Extensions");
    const time = page
      .locator(".runtime-extensions-editor .extension", { hasText: "Dhi" })
      .locator(".activation-time");
    const text = await time.first().textContent();
    assert.ok(Number.parseInt(/\d+/.exec(text)?.[0] ?? "", 10) < 1_000, text);
    return text;
  });
}
