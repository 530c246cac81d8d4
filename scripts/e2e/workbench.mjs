/** VS Code's workbench through its page: what a user does and sees. Selectors as VS Code 1.90 to 1.139 have them. */
import assert from "node:assert/strict";

const STATUS = '.statusbar-item[id="dhi.dhi.status"]';
const QUICK_INPUT = '.quick-input-widget:not([style*="display: none"]) input';

/** @param page of Playwright, at the workbench's address */
export function createWorkbench(page) {
  /** `data-uri` of an editor ends with the file's path. */
  const editor = (path) => `.monaco-editor[data-uri$="/${encodeURI(path)}"]`;

  const row = (is) => `.quick-input-list .monaco-list-row${is}`;

  /** Picks the entry that begins with `label` and has `detail` in it, and nothing while there is none. */
  async function pick(text, label, detail = "") {
    await page.fill(QUICK_INPUT, text);
    await page.waitForSelector(
      row(`.focused[aria-label^="${label}"]${detail && `[aria-label*="${detail}"]`}`),
    );
    await page.keyboard.press("Enter");
  }

  /** A workbench that is busy with what was closed a moment ago does not take the key. */
  async function openPalette() {
    // What closes right now is not to be taken for it.
    await page.waitForSelector(QUICK_INPUT, { state: "hidden" });
    for (let tries = 0; tries < 5; tries++) {
      await page.keyboard.press("F1");
      const input = page.locator(QUICK_INPUT);
      const isOpen = await input.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (isOpen) return;
    }
  }

  return {
    /** Waits until the files are listed and Dhi has registered: it is not asked for keys that were pressed before. */
    async ready() {
      await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60_000 });
      await page.waitForSelector(STATUS, { timeout: 60_000 });
    },

    /** @param typed where several open folders have that path: the absolute one */
    async openFile(path, typed = path) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      await page.keyboard.press("Control+P");
      // Until the list follows what is typed, it has what was open last: the file of that name in another folder.
      await pick(typed, name, path === name ? "" : path.slice(0, path.indexOf("/")));
      await page.waitForSelector(`${editor(path)} .view-lines`);
      await page.click(`${editor(path)} .view-lines`);
      await page.keyboard.press("Control+End");
    },

    async openNotebook(path) {
      await page.keyboard.press("Control+P");
      await pick(path, path.slice(path.lastIndexOf("/") + 1));
      await page.waitForSelector(".notebookOverlay .cell-editor-container .monaco-editor");
    },

    /** Takes back what was typed, until the file is as it was saved. */
    async undoAll(path) {
      await page.click(`${editor(path)} .view-lines`);
      for (let i = 0; i < 50 && (await page.locator(".tab.active.dirty").count()) > 0; i++)
        await page.keyboard.press("Control+Z");
      await page.waitForSelector(".tab.active:not(.dirty)");
    },

    async closeWithoutSaving() {
      const open = page.locator(".tabs-container .tab");
      const before = await open.count();
      await this.runCommand("View: Revert and Close Editor");
      const deadline = Date.now() + 20_000;
      while ((await open.count()) >= before) {
        assert.ok(Date.now() < deadline, "the editor stays open");
        await page.waitForTimeout(50);
      }
    },

    /** Waits until a line that is drawn passes `isRight`. */
    async lineThat(path, isRight, timeout = 20_000) {
      const deadline = Date.now() + timeout;
      let lines = [];
      do {
        lines = (await page.locator(`${editor(path)} .view-line`).allTextContents()).map((line) =>
          line.replaceAll("\u00a0", " "),
        );
        if (lines.some(isRight)) return;
        await page.waitForTimeout(50);
      } while (Date.now() < deadline);
      assert.fail(`lines: ${JSON.stringify(lines)}`);
    },

    /** @param line 1-based @param column 1-based */
    async goTo(line, column) {
      await page.keyboard.press("Control+G");
      await page.fill(QUICK_INPUT, `:${line}:${column}`);
      await page.keyboard.press("Enter");
      await page.waitForSelector(QUICK_INPUT, { state: "hidden" });
    },

    async runCommand(title) {
      await openPalette();
      await page.fill(QUICK_INPUT, `>${title}`);
      // One that begins alike and was run lately stands above it. Behind a comma is its key, or when it was run.
      await page.click(row(`:is([aria-label="${title}"], [aria-label^="${title},"])`));
    },

    /** Takes the entry of an open list that begins with `label`. */
    pick: (label) => pick(label, label),

    /** Slower than a program, faster than most people. */
    type: (text) => page.keyboard.type(text, { delay: 40 }),
    press: (key) => page.keyboard.press(key),

    async deleteLine() {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Shift+K");
      await page.keyboard.press("Control+End");
    },

    async save() {
      await page.keyboard.press("Control+S");
      await page.waitForSelector(".tab.active:not(.dirty)");
    },

    /** @returns the ghost text in `path` once there is some, its lines joined by `\n` */
    ghostText: (path) => ghostTextThat(path, (shown) => shown.trim() !== ""),

    /** Waits until the ghost text in `path` passes `isRight`: what was there before may still be shown. @returns it */
    ghostTextThat,

    /** @returns what is shown right now; empty when nothing is */
    shownGhostText: (path) => shownGhostText(editor(path)),

    /** @returns the text of a page of Dhi's own once it is open, without what does not fit on the screen */
    async pageText(name) {
      const lines = page.locator(`${editor(name)} .view-line`);
      await lines.first().waitFor();
      await page.waitForTimeout(300); // links and colours
      const texts = await lines.evaluateAll((all) =>
        all
          .map((line) => ({ top: Number.parseInt(line.style.top, 10), text: line.textContent }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text.replaceAll("\u00a0", " ")),
      );
      return texts.join("\n");
    },

    /** Ctrl+click on the first link in an editor that has `text`. */
    async followLink(text) {
      const link = page.locator(".detected-link", { hasText: text }).first();
      let box;
      // The line is drawn anew when its links are known.
      while (!box) {
        await link.waitFor();
        box = await link.boundingBox();
      }
      await page.keyboard.down("Control");
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await page.keyboard.up("Control");
    },

    /** @returns the hover of the item in the status bar once it shows */
    async statusHover() {
      await page.mouse.move(400, 300);
      await page.hover(STATUS);
      const hover = page.locator(".monaco-hover:visible .hover-contents, .workbench-hover:visible").last();
      await hover.waitFor();
      return hover.textContent();
    },

    /** Waits until the item in the status bar says `text`, icons left out. @param text a string, or what matches */
    async statusBar(text, timeout = 20_000) {
      const deadline = Date.now() + timeout;
      let shown;
      do {
        shown = (await page.locator(STATUS).textContent())?.replaceAll("\u00a0", " ").trim();
        if (text instanceof RegExp ? text.test(shown) : shown === text) return shown;
        await page.waitForTimeout(50);
      } while (Date.now() < deadline);
      assert.fail(`the status bar says ${JSON.stringify(shown)}, not ${text}`);
    },

    clickStatusBar: () => page.click(STATUS),

    /** Waits until the status bar shows that Dhi is switched off, or on. */
    switchedOff: () => page.waitForSelector(`${STATUS} .codicon-circle-slash`),
    switchedOn: () => page.waitForSelector(`${STATUS} .codicon-circle-slash`, { state: "detached" }),

    /** @returns the whole sentence of the notification that contains `text` */
    async notification(text, timeout = 30_000) {
      const message = page
        .locator(".notification-toast .notification-list-item-message")
        .filter({ hasText: text });
      await message.waitFor({ timeout });
      return message.textContent();
    },

    async clearNotifications() {
      await this.runCommand("Notifications: Clear All Notifications");
      await page.waitForSelector(".notification-toast", { state: "detached" });
    },

    /** Waits until the output channel, which must be open, has a line that matches. */
    async outputLine(pattern, timeout = 10_000) {
      const deadline = Date.now() + timeout;
      let lines = [];
      do {
        lines = await page.locator(".output-view .view-line").allTextContents();
        const line = lines.map((l) => l.replaceAll("\u00a0", " ")).find((l) => pattern.test(l));
        if (line) return line;
        await page.waitForTimeout(50);
      } while (Date.now() < deadline);
      assert.match(lines.join("\n"), pattern);
    },
  };

  async function ghostTextThat(path, isRight, timeout = 20_000) {
    const deadline = Date.now() + timeout;
    let shown;
    do {
      shown = await shownGhostText(editor(path));
      if (isRight(shown)) return shown;
      await page.waitForTimeout(50);
    } while (Date.now() < deadline);
    assert.fail(`ghost text: ${JSON.stringify(shown)}`);
  }

  async function shownGhostText(root) {
    return page.evaluate((within) => {
      const texts = (selector) =>
        [...document.querySelectorAll(`${within} ${selector}`)].map((e) =>
          e.textContent.replaceAll("\u00a0", " "),
        );
      const inline = texts(".ghost-text-decoration").join("");
      return [inline, ...texts(".suggest-preview-text .view-line")].join("\n");
    }, root);
  }
}
