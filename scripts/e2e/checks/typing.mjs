/**
 * Ghost text where editors usually break code: mid-line, between brackets, beside IntelliSense, CRLF, Python's depth. A
 * scripted engine writes, so that what is right is known to the letter.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until, useEngine } from "./use-engine.mjs";

export async function typingChecks({ asked, check, engine, page, shot, workspace, workbench }) {
  if (!engine) return;
  const read = (path) => readFileSync(join(workspace, path), "utf8");

  await check("Dhi: Choose Model changes the engine of the running server", async () => {
    await useEngine("openai", { page, workbench });
    await shot("model-chosen");
  });
  await check("in the middle of a line nothing right of the cursor is eaten or doubled", async () => {
    const file = "shop/gifts.py";
    engine.writes("return pricing.total_with_tax(order.lines, order.tax_rate)\n\n\ndef more():");
    await workbench.openFile(file);
    await workbench.goTo(7, 12);
    await workbench.type("pricing.tot");
    const ghost = await workbench.ghostText(file);
    await shot("mid-line");
    await workbench.press("Tab");
    await workbench.save();
    const line = read(file).split("\n")[6];
    assert.equal(line, "    return pricing.total_with_tax(order.lines, order.tax_rate)");
    return JSON.stringify(ghost);
  });
  await check("a bracket that the editor closed is not closed twice", async () => {
    const file = "shop/orders.py";
    engine.writes("return pricing.total_with_tax([order.fee], order.tax_rate)");
    await workbench.openFile(file);
    await workbench.type("\n\ndef late_fee(order):\nreturn pricing.total_with_tax(");
    const ghost = await workbench.ghostText(file);
    await shot("auto-closed");
    await workbench.press("Tab");
    await workbench.save();
    const line = read(file).trimEnd().split("\n").at(-1);
    assert.equal(line, "    return pricing.total_with_tax([order.fee], order.tax_rate)");
    return JSON.stringify(ghost);
  });
  await check("in Python what is taken after a dedent stands at its depth", async () => {
    const file = "shop/pricing.py";
    engine.writes("    return total_with_tax(lines, tax_rate) / 2\n\n\ndef third");
    await workbench.openFile(file);
    await workbench.type("\n\ndef weights(lines):\nfor line in lines:\nyield line\n");
    // Two levels up again, to the depth of the file.
    await workbench.press("Backspace");
    await workbench.press("Backspace");
    await workbench.type("\n\ndef half_total(lines, tax_rate):\nretu");
    const ghost = await workbench.ghostText(file);
    await workbench.press("Tab");
    await workbench.save();
    parsesAsPython(join(workspace, file));
    assert.match(
      read(file),
      /^def half_total\(lines, tax_rate\):\n {4}return total_with_tax\(lines, tax_rate\) \/ 2$/m,
    );
    return JSON.stringify(ghost);
  });
  await check("several lines are taken into a file with CRLF, which keeps it", async () => {
    const file = "shop/exports.py";
    engine.writes("def export_total(invoice):\n    net = invoice.net\n    return net * 2\n");
    await workbench.openFile(file);
    await workbench.type("\n\ndef export_total(invoice):\n");
    const ghost = await workbench.ghostText(file);
    await shot("several-lines");
    await workbench.press("Tab");
    await workbench.save();
    const text = read(file);
    assert.match(text, /def export_total\(invoice\):\r\n {4}net = invoice\.net\r\n {4}return net \* 2/);
    assert.equal(text.replaceAll("\r\n", "").includes("\n"), false, "a line ends with LF alone");
    return JSON.stringify(ghost);
  });
  await check("beside an open list of IntelliSense it goes on from the chosen entry", async () => {
    const file = "shop/report.rb";
    engine.writes("Totals.gross_amount(order.lines, order.tax_rate) }");
    await workbench.openFile(file);
    await workbench.type("def year_sum(orders)\n  orders.sum { |order| Totals.gro");
    await page.waitForSelector(
      '.suggest-widget.visible .monaco-list-row.focused[aria-label*="gross_amount"]',
    );
    const ghost = await workbench.ghostText(file);
    await shot("intellisense");
    assert.match(ghost, /^ss_amount/);
    // The list's own Tab takes its entry, once; what is left of the ghost text goes on.
    await workbench.press("Tab");
    await workbench.press("Escape");
    await workbench.save();
    assert.match(read(file), /\{ \|order\| Totals\.gross_amount ?\}$/m);
    return JSON.stringify(ghost);
  });
  const sums = ["order.fee * 2", "order.fee + order.tax_rate", "max(order.fee, 1)"];
  await check("asked again by hand it brings two others, which the keys step through", async () => {
    const file = "shop/orders.py";
    writesSums();
    await workbench.openFile(file);
    await workbench.type("\n\ndef fees(order):\nreturn ");
    await workbench.ghostTextThat(file, (shown) => shown === sums[0]);
    await workbench.press("Alt+\\");
    await until(() => asked.naming('"alternative":2').length > 0, "no alternative was asked for");
    const second = await next(file, sums.slice(1));
    await shot("alternatives");
    const last = await next(file, sums.slice(1));
    await workbench.press("Tab");
    await workbench.save();
    assert.equal(read(file).trimEnd().split("\n").at(-1)?.trim(), `return ${last}`);
    return JSON.stringify([second, last]);
  });
  await check("what has grown line by line has others, too", async () => {
    const file = "shop/invoices.py";
    const body = (name) => `def wrap(order):\n    ${name} = order.paid\n    return ${name} * 2\n`;
    const rest = (name) => `${name} = order.paid\n    return ${name} * 2`;
    engine.writes(body("paper"), { pieceMs: 60, alternatives: [body("ribbon"), body("box")] });
    await workbench.openFile(file);
    await workbench.type("\n\ndef wrap(order):\n");
    await workbench.ghostTextThat(file, (shown) => shown === rest("paper"));
    const shown = await next(file, [rest("ribbon"), rest("box")]);
    await workbench.press("Tab");
    await workbench.save();
    assert.ok(read(file).trimEnd().endsWith(shown));
    return JSON.stringify(shown);
  });
  await check("what was asked for by hand has others, while they are written too", async () => {
    const file = "shop/invoices.py";
    const others = sums.slice(1);
    writesSums({ pieceMs: 80 });
    await workbench.runCommand("Dhi: Suggest While Typing or on Demand");
    await workbench.statusBar("Dhi: on demand");
    await workbench.openFile(file);
    await workbench.type("\n\ndef fees(order):\nreturn ");
    await workbench.press("Alt+\\");
    await workbench.ghostTextThat(file, (shown) => shown === sums[0]);
    const shown = await next(file, others);
    await workbench.press("Alt+[");
    await workbench.ghostTextThat(file, (text) => text === sums[0]);
    await workbench.runCommand("Dhi: Suggest While Typing or on Demand");
    await workbench.openFile(file);
    await workbench.deleteLine();
    await workbench.save();
    return JSON.stringify(shown);
  });
  await check("Escape while more is being written ends that, and nothing comes back", async () => {
    const file = "shop/gifts.py";
    const lines = Array.from({ length: 12 }, (_, n) => `    order.step_${n}()`);
    engine.writes(["def steps(order):", ...lines].join("\n"), { pieceMs: 150 });
    await workbench.openFile(file);
    await workbench.type("\n\ndef steps(order):\n");
    await workbench.ghostText(file);
    const cancelled = engine.cancelled();
    await workbench.press("Escape");
    await until(() => engine.cancelled() > cancelled, "the engine writes on");
    await page.waitForTimeout(500); // what is left of the stream would have come
    assert.equal(await workbench.shownGhostText(file), "");
    engine.writes("");
    await workbench.save();
  });
  await check("a slow engine is let go once what it writes is no longer wanted", async () => {
    const file = "shop/gifts.py";
    const long = Array.from({ length: 60 }, (_, n) => `order.slow_${n}`).join(" + ");
    engine.writes(`return ${long}`, { pieceMs: 300 });
    await workbench.openFile(file);
    await workbench.type("\n\ndef slow(order):\nreturn order.");
    const [calls, cancelled] = [engine.calls(), engine.cancelled()];
    await workbench.type("s");
    await until(() => engine.calls() > calls || engine.writing() > 0, "the engine was not asked");
    await workbench.type("kip = 1");
    await until(() => engine.cancelled() > cancelled, "no call was ended");
    engine.writes("");
    await workbench.save();
  });
  await check("the engine is changed back", () => useEngine("instant", { page, workbench }));

  function writesSums(how = {}) {
    const [first, ...alternatives] = sums.map((sum) => `return ${sum}`);
    engine.writes(first, { ...how, alternatives });
  }

  /** One key, whether they are there or still to be written. @returns which of `wanted` it showed, another than before */
  async function next(file, wanted) {
    const before = await workbench.shownGhostText(file);
    await workbench.press("Alt+]");
    return workbench.ghostTextThat(file, (shown) => shown !== before && wanted.includes(shown));
  }
}

/** Where there is no Python, the other checks of the file's text have to do. */
function parsesAsPython(file) {
  try {
    execFileSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    if (error.code !== "ENOENT") throw new Error(`${error.stderr}\n${readFileSync(file, "utf8")}`);
  }
}
