/** Ghost text shows what the server says, shrinks while it is typed, and is taken whole or by the word. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The function it needs is defined in another file. */
const FILE = "shop/checkout.py";

export async function ghostTextChecks({ check, asked, shot, url, workspace, workbench }) {
  const file = join(workspace, FILE);
  const before = readFileSync(file, "utf8");
  const typed = "return pricing.tot";
  let ghost = "";

  await check("ghost text shows while typing, and is what this server says", async () => {
    await workbench.openFile(FILE);
    await workbench.type(typed);
    ghost = await workbench.ghostText(FILE);
    await shot("ghost-text");
    assert.ok(asked.count("/v1/fim") > 0, "the server was not asked");
    const answer = await askServer(url, {
      path: FILE,
      languageId: "python",
      prefix: before + typed,
      suffix: "",
    });
    assert.equal(ghost, answer.completion);
    return JSON.stringify(ghost);
  });
  await check("it has a name that only other files have", () => {
    assert.ok(!before.includes("total_with_tax"));
    assert.match(ghost, /^al_with_tax\(/);
  });
  await check("the status bar says with what, and how fast", () =>
    workbench.statusBar(/^Dhi: rag · \d+ ms$/),
  );
  await check("it shrinks as its text is typed, and that sends 0 requests", async () => {
    const requests = asked.count("/v1/fim");
    await workbench.type(ghost.slice(0, 3));
    await workbench.ghostTextThat(FILE, (shown) => shown === ghost.slice(3));
    await workbench.press("Backspace");
    await workbench.ghostTextThat(FILE, (shown) => shown === ghost.slice(2));
    assert.equal(asked.count("/v1/fim"), requests);
  });
  await check("Ctrl+Right takes one word of it", async () => {
    await workbench.press("Control+ArrowRight");
    const rest = await workbench.ghostTextThat(FILE, (shown) => shown.length < ghost.length - 3);
    await shot("word-accepted");
    assert.ok(ghost.endsWith(rest), `${JSON.stringify(rest)} is no end of ${JSON.stringify(ghost)}`);
    return `left: ${JSON.stringify(rest)}`;
  });
  await check("Tab takes the rest", async () => {
    await workbench.press("Tab");
    await workbench.save();
    assert.equal(readFileSync(file, "utf8"), before + typed + ghost);
    await shot("accepted");
  });
}

/** Asks as the extension does. @returns the last event */
async function askServer(url, request) {
  const response = await fetch(`${url}/v1/fim`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  assert.equal(response.status, 200);
  const events = (await response.text()).split("\n\n").filter(Boolean);
  return JSON.parse(events.at(-1).replace(/^data: /, ""));
}
