import { parseEnv } from "@dhi/core/env";
import { envExample } from "@dhi/core/testing/env-example";
import { expect, test } from "vitest";
import { indexerEnv, readConfig } from "./config.ts";

test(".env.example has every variable of the indexer, with its default", () => {
  const example = envExample();
  expect(Object.keys(indexerEnv.shape).filter((name) => !(name in example))).toEqual([]);
  expect(parseEnv(indexerEnv, example)).toEqual(parseEnv(indexerEnv, {}));
});

test("every wrong variable is named at once", () => {
  const wrong = {
    ...{ INDEXER_PORT: "-1", MAX_FILE_BYTES: "0", WATCH_POLLING: "often", LOG_LEVEL: "loud" },
    ...{ TYPESCRIPT_SERVICE: "on", TYPESCRIPT_MEMORY_MB: "64" },
  };
  for (const [name, value] of Object.entries(wrong))
    expect(() => readConfig(wrong)).toThrow(`\n  ${name}=${value}: `);
});
