/** Has the running server answer with another engine, as a user does. */
export async function useEngine(name, { page, workbench }) {
  await workbench.runCommand("Dhi: Choose Model");
  await workbench.pick(name);
  await page.waitForSelector(`.statusbar-item:has-text("Dhi now uses")`);
}

/** Waits until the condition holds. @throws with `otherwise` after 20 s */
export async function until(isSo, otherwise) {
  const deadline = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(otherwise);
    await new Promise((done) => setTimeout(done, 50));
  }
}
