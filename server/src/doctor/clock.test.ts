import { closedPort, startFakeServer } from "@dhi/core/testing/fake-server";
import { expect, test } from "vitest";
import type { Setup } from "./check.ts";
import { clock } from "./clock.ts";

test("tells whose clock is apart, and by how much", async () => {
  let date = new Date();
  await using other = await startFakeServer((_, response) => {
    response.setHeader("date", date.toUTCString()).end();
  });
  const away = `http://127.0.0.1:${await closedPort()}`;
  const look = (ollama: string) =>
    clock.look(
      { config: { INDEXER_HOST: away, CHROMA_HOST: away, OLLAMA_HOST: ollama } } as unknown as Setup,
      AbortSignal.timeout(5_000),
    );
  expect(await look(other.url)).toEqual({ status: "ok", detail: "the same everywhere" });
  expect(await look(away)).toEqual({ status: "ok", detail: "nobody answers to compare it with" });
  date = new Date(Date.now() - 3_600_000);
  expect(await look(other.url)).toMatchObject({
    ...{ status: "warn", detail: expect.stringMatching(/^http:\S+ is 36\d\d s behind$/) },
    fix: expect.stringContaining("timedatectl"),
  });
  date = new Date(Date.now() + 3_600_000);
  expect(await look(other.url)).toMatchObject({ detail: expect.stringMatching(/3[56]\d\d s ahead$/) });
});
