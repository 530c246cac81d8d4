/** One run: packaged extension, VS Code, and what is cleaned up after it whatever happens. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { missingForEditor, packageExtension, startEditor } from "./editor.mjs";
import { createChecks, inReverse, runToEnd } from "./named-checks.mjs";

/** Ignored by git. */
const SHOTS = fileURLToPath(new URL("../../extension/e2e-shots", import.meta.url));

/**
 * Runs and ends the process: 0 passed or skipped, 1 a check failed.
 *
 * @param name of the folder with its screenshots
 * @param body gets `checks`, `cleanUps` (functions; the latest runs first) and `edit(url, open, settings)`, which starts the
 *   editor
 */
export async function runSession(name, { vsix }, body) {
  const missing = missingForEditor();
  if (missing) {
    console.log(`skipped: no VS Code to drive here (${missing} is missing)`);
    process.exit(0);
  }
  const shots = join(process.env.DHI_E2E_OUT ?? SHOTS, name);
  mkdirSync(shots, { recursive: true });
  const cleanUps = [];
  const checks = createChecks();
  const run = async () => {
    const packed = resolve(vsix ?? packageExtension());
    await body({
      checks,
      cleanUps,
      /** @returns the editor, and `shot`, which takes a picture of it */
      async edit(url, open, settings) {
        const editor = await startEditor({ vsix: packed, url, open, ...settings });
        cleanUps.push(editor.stop);
        const shot = (picture) => editor.page.screenshot({ path: join(shots, `${picture}.png`) });
        checks.onFailure(async (n) => {
          await shot(`failure-${n}`);
          // What it left open must not fail the next ones.
          for (let i = 0; i < 3; i++) await editor.page.keyboard.press("Escape");
        });
        return { ...editor, shot };
      },
    });
  };
  await runToEnd(checks, run, inReverse(cleanUps), `screenshots: ${shots}`);
}
