/** Whether each port belongs to the part of Dhi that the settings say, and else to whom. */
import { z } from "zod";
import { type DoctorCheck, type Finding, fail, isHere, ok, warn, worstOf } from "./check.ts";
import { type Listener, listenersOf, wordsFor } from "./listeners.ts";

interface Part {
  readonly name: string;
  readonly url: string;
  /** A path that only this part answers like this. */
  readonly path: string;
  readonly isIts: (body: unknown) => boolean;
  /** What has to be changed for it to listen elsewhere. */
  readonly setting: string;
  /** Whether Dhi works without it. */
  readonly isOptional: boolean;
}

const has = (field: string) => (body: unknown) => typeof body === "object" && body !== null && field in body;
const CHROMA_VERSION = z.string().regex(/^\d+\.\d+/);

export const ports: DoctorCheck = {
  ...{ id: "ports", title: "Ports" },
  async look({ config, running, inCompose }, signal) {
    const { DHI_PORT, CHROMA_HOST, INDEXER_HOST, OLLAMA_HOST } = config;
    if (inCompose) return ok("each part has those of its own container");
    const isChroma = (body: unknown) => CHROMA_VERSION.safeParse(body).success;
    const parts: readonly Part[] = [
      {
        ...{ name: "Chroma", url: CHROMA_HOST, path: "/api/v2/version", isIts: isChroma },
        setting: "CHROMA_HOST",
        isOptional: false,
      },
      {
        ...{ name: "the indexer", url: INDEXER_HOST, path: "/status", isIts: has("workspaces") },
        setting: "INDEXER_PORT",
        isOptional: false,
      },
      {
        ...{
          name: "Ollama",
          url: OLLAMA_HOST,
          path: "/api/tags",
          isIts: has("models"),
          setting: "OLLAMA_HOST",
        },
        isOptional: running.now.engine.name !== "ollama",
      },
    ];
    const found = await Promise.all([
      ...(DHI_PORT > 0 ? [ownPort(DHI_PORT, signal)] : []),
      ...parts.filter(({ url }) => isHere(url)).map((part) => belongs(part, signal)),
    ]);
    const worst = worstOf(found);
    return worst.status === "ok" ? ok(found.map(({ detail }) => detail).join(", ")) : worst;
  },
};

/** Two may listen at one port, each at another address: `localhost` then leads to either. */
async function ownPort(port: number, signal: AbortSignal): Promise<Finding> {
  const others = (await listenersOf(port, signal)).filter(
    ({ pid }) => pid !== undefined && pid !== process.pid,
  );
  if (others.length === 0) return ok(`${port} this server`);
  return warn(
    `${port} belongs to this server and, at another address, to ${listOf(others)}: localhost may lead there`,
    fixFor(others, "set DHI_PORT to a free port and restart Dhi"),
  );
}

async function belongs(
  { name, url, path, isIts, setting, isOptional }: Part,
  signal: AbortSignal,
): Promise<Finding> {
  const port = portOf(url);
  let body: unknown;
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await fetch(`${url}${path}`, { signal: soon });
    body = await response.json().catch(() => undefined);
  } catch (error) {
    const holders = await listenersOf(port, signal);
    signal.throwIfAborted();
    // Perhaps it is the part, which then is at fault itself.
    if (error instanceof Error && error.name === "TimeoutError")
      return warn(`${port} is ${name}'s by the settings; ${listOf(holders)} listens there and says nothing`);
    // Nobody is there to take it away; that the part is missing is another check's finding.
    if (holders.length === 0) return ok(`${port} free for ${name}`);
    return taken(holders);
  }
  return isIts(body) ? ok(`${port} ${name}`) : taken(await listenersOf(port, signal));

  function taken(holders: readonly Listener[]): Finding {
    const words = `${port} is ${name}'s by the settings, and what answers there is not: it belongs to ${listOf(holders)}`;
    return (isOptional ? warn : fail)(
      words,
      fixFor(holders, `set ${setting} to another port and restart Dhi`),
    );
  }
}

/** Less than a check has: the other ports are told of too. */
const ANSWER_MS = 2_500;

/** A URL does not hold the usual one of its scheme. */
function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

const listOf = (holders: readonly Listener[]): string =>
  holders.map(wordsFor).join(" and ") || "another program";

function fixFor(holders: readonly Listener[], otherwise: string): string {
  const pids = holders.flatMap(({ pid }) => pid ?? []);
  return pids.length ? `kill ${pids.join(" ")}, or ${otherwise}` : otherwise;
}
