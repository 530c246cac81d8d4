/** What a person does on the page, by what they see: labels, roles and text. */
import assert from "node:assert/strict";

const EDITOR = ".monaco-editor";

export function createTour(page) {
  const inspector = page.getByRole("region", { name: "About the last answer" });
  return {
    page,
    inspector,

    async openFile(path) {
      await page.getByRole("searchbox", { name: "Find a file" }).fill(path);
      // Those that are found say their folder. Before they come the row may be in the tree, and is about to move.
      await page.locator(`[role=treeitem][title="${path}"]:has(.folder-of)`).click();
      await page.waitForSelector(`${EDITOR}[data-uri$="/${path}"] .view-line`);
      // Playwright presses Delete for it, which must not be the editor's: that takes the focus as the file opens.
      await page.getByRole("searchbox", { name: "Find a file" }).fill("");
      await page.click(`${EDITOR} .view-lines`);
      await page.keyboard.press("Control+End");
    },

    /** Slower than a program, faster than most people. */
    type: (text) => page.keyboard.type(text, { delay: 25 }),
    press: (key) => page.keyboard.press(key),

    /** @returns the ghost text, once there is some */
    async ghostText(timeout = 15_000) {
      await page.waitForSelector(`${EDITOR} .ghost-text-decoration`, { timeout });
      const texts = await page.locator(`${EDITOR} .ghost-text-decoration`).allTextContents();
      return texts.join("").replaceAll("\u00a0", " ");
    },

    /** @returns what the editor shows, line by line */
    async shownText() {
      const lines = await page.locator(`${EDITOR} .view-line`).evaluateAll((all) =>
        all
          .map((line) => [Number.parseInt(line.style.top, 10), line.textContent])
          .sort(([a], [b]) => a - b)
          .map(([, text]) => text),
      );
      return lines.join("\n").replaceAll("\u00a0", " ");
    },

    async goTo(view) {
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
      await page.waitForURL(`**/#/${view.toLowerCase()}`);
    },

    /** A view shows what the server said, and not that it is asked. */
    async settled() {
      await page.locator("main h1:visible").waitFor();
      await page.waitForFunction(
        () =>
          ![...document.querySelectorAll("main .hint")].some(
            (hint) => hint.textContent === "Asking…" && hint.checkVisibility(),
          ),
      );
    },

    async inspect(tab) {
      await page.getByRole("tab", { name: tab }).click();
    },

    /** Waits until `text` shows; asks the page to look at the server now, so that it need not be waited for. */
    async says(locator, text, timeout = 12_000) {
      const deadline = Date.now() + timeout;
      let shown = "";
      do {
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        shown = (await locator.allTextContents()).join(" ").replaceAll("\u00a0", " ");
        if (text.test(shown)) return shown;
        await page.waitForTimeout(100);
      } while (Date.now() < deadline);
      assert.match(shown, text);
    },
  };
}

/** @returns what the assertion returns, once it holds @throws what it threw last */
export async function eventually(assertion, timeout = 10_000) {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
