import { expect, test } from "vitest";
import { embeddedText } from "./embedded-text.ts";

test("starts with path, container and signature", () => {
  const chunk = {
    path: "src/a.ts",
    container: "Billing.Invoice",
    signature: "total(): number",
    text: "total() {}\n",
  };
  expect(embeddedText(chunk)).toBe("src/a.ts\nBilling.Invoice\ntotal(): number\ntotal() {}\n");
});

test("leaves out what a chunk does not have", () => {
  expect(embeddedText({ path: "a.md", container: null, signature: null, text: "# A" })).toBe("a.md\n# A");
});
