import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLogger } from "./log.ts";
import { inRequest } from "./request-context.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

function logged(isTTY: boolean): string {
  const out = Object.assign(new PassThrough(), { isTTY });
  const log = createLogger("server", "info", out);
  log.info({ port: 1 }, "listening");
  inRequest({ id: ID }, () => log.child({ workspace: "shop" }).warn("slow"));
  log.debug("not at this level");
  return String(out.read());
}

test("a machine reads lines of JSON, and those of a request have its id", () => {
  const lines = logged(false)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({ name: "server", level: 30, port: 1, msg: "listening" }),
    expect.objectContaining({ name: "server", level: 40, workspace: "shop", msg: "slow", requestId: ID }),
  ]);
  expect(lines[0]).not.toHaveProperty("requestId");
});

test("a person reads words", () => {
  expect(logged(true).replace(/^\S+/gm, "00:00:00")).toBe(
    `00:00:00 info server listening port=1\n00:00:00 warn server slow workspace=shop requestId=${ID}\n`,
  );
});
