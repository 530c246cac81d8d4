/** Dhi in this process, from its sources, so that a test measures what is there and not what was built. */

import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { indexDir, openIndexForReading } from "@dhi/core/index-db";
import { createLogger } from "@dhi/core/log";
import { indexerResponse } from "@dhi/core/protocol";
import { startChroma } from "@dhi/core/testing/chroma-server";
import { closedPort } from "@dhi/core/testing/fake-server";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { readConfig as readIndexerConfig } from "@dhi/indexer/config";
import { startIndexer } from "@dhi/indexer/start-indexer";
import { readConfig as readServerConfig } from "@dhi/server/config";
import { startServer } from "@dhi/server/start-server";
import { hasEverything } from "../../bench/stack.ts";
import type { Corpus } from "../corpus.ts";
import { postJson } from "../post-json.ts";
import type { Served } from "../served.ts";
import { EVAL_FORMAT } from "../tokens.ts";

/** Everything is indexed when it returns. */
export async function serveHere(corpora: readonly Corpus[]): Promise<Served> {
  const { dir: home, [Symbol.dispose]: remove } = tempDir();
  const chromaDir = join(home, "chroma");
  mkdirSync(chromaDir);
  const chroma = await startChroma(chromaDir);
  const settings = {
    ...{ DHI_WORKSPACES: corpora.map(({ name, dir }) => `${name}=${dir}`).join("\n"), DHI_HOME: home },
    ...{ EMBEDDER: "hash", ENGINE: "instant", FIM_FORMAT: EVAL_FORMAT, CHROMA_HOST: chroma.url },
    ...{ OLLAMA_HOST: `127.0.0.1:${await closedPort()}`, RETRIEVAL_TIMEOUT_MS: "10000" },
    ...{ TYPESCRIPT_SERVICE: "off", INDEXER_PORT: "0", DHI_PORT: "0" },
  };
  const log = createLogger("test", "silent");
  const indexer = await startIndexer(readIndexerConfig(settings), log);
  const server = await startServer(readServerConfig({ ...settings, INDEXER_HOST: indexer.url }), log);
  const url = `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
  const settled = async () => {
    for (; ; await sleep(50)) {
      const { workspaces } = indexerResponse.parse(await (await fetch(`${indexer.url}/status`)).json());
      if (workspaces.every(hasEverything)) return;
    }
  };
  await settled();
  return {
    url,
    settled,
    post: (path, body) => postJson(url + path, body),
    openIndex: ({ dir }) => openIndexForReading(indexDir(home, dir))!,
    async close() {
      await server.close();
      await indexer.close();
      await chroma.kill();
      remove();
    },
  };
}
