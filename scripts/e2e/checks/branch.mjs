/** A branch switch in the terminal: what is suggested next has the new branch's name. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "shop/parcels.py";

export async function branchChecks({ check, shot, url, workspace, workbench }) {
  await check("after git checkout the new branch's name is suggested", async () => {
    git(workspace, "add", "-A");
    git(workspace, "commit", "-qm", "typed", "--allow-empty");
    git(workspace, "checkout", "-qb", "renamed");
    for (const name of readdirSync(join(workspace, "shop")).filter((file) => file.endsWith(".py"))) {
      const file = join(workspace, "shop", name);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("total_with_tax", "gross_total"));
    }
    writeFileSync(
      join(workspace, FILE),
      '"""Parcels."""\n\nfrom shop import pricing\n\n\ndef parcel_total(parcel):\n    ',
    );
    git(workspace, "add", "-A");
    git(workspace, "commit", "-qm", "renamed");
    git(workspace, "checkout", "-q", "main");
    git(workspace, "checkout", "-q", "renamed");

    const switched = performance.now();
    await workbench.openFile(FILE);
    while (!(await isKnown(url, "gross_total"))) {
      assert.ok(performance.now() - switched < 20_000, "the index does not have the new branch");
      await new Promise((done) => setTimeout(done, 50));
    }
    const known = Math.round(performance.now() - switched);
    await workbench.type("return pricing.gro");
    const ghost = await workbench.ghostTextThat(FILE, (shown) => shown.startsWith("ss_total("));
    await shot("branch");
    await workbench.press("Tab");
    await workbench.save();
    assert.match(readFileSync(join(workspace, FILE), "utf8"), /return pricing\.gross_total\(/);
    return `${JSON.stringify(ghost)}, in the index after ${known} ms`;
  });
}

async function isKnown(url, name) {
  const response = await fetch(`${url}/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: name, mode: "symbols" }),
  });
  const { results } = await response.json();
  return results.some(({ document }) => document.includes(`def ${name}`));
}

function git(cwd, ...args) {
  execFileSync("git", ["-c", "user.name=e2e", "-c", "user.email=e2e@example.com", ...args], {
    cwd,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
}
