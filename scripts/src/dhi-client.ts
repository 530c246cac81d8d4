/** The running server, asked as any editor asks it. */
import {
  type FimDone,
  type FimRequestInput,
  fimDone,
  type HealthResponse,
  healthResponse,
  type StatusResponse,
  statusResponse,
} from "@dhi/core/protocol";

export interface DhiClient {
  /** @throws when the server does not answer */
  health(signal: AbortSignal): Promise<HealthResponse>;
  status(signal: AbortSignal): Promise<StatusResponse>;
  /** @throws with the server's own words */
  complete(request: FimRequestInput, signal: AbortSignal): Promise<FimDone>;
}

export function createClient(url: string, token: string | undefined): DhiClient {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return {
    async health(signal) {
      return healthResponse.parse(await (await fetch(`${url}/health`, { headers, signal })).json());
    },
    async status(signal) {
      return statusResponse.parse(await (await fetch(`${url}/v1/status`, { headers, signal })).json());
    },
    async complete(request, signal) {
      const response = await fetch(`${url}/v1/fim`, {
        method: "POST",
        headers,
        body: JSON.stringify(request),
        signal,
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`POST /v1/fim: ${response.status} ${text}`);
      const done = eventsOf(text).find((event) => "done" in event);
      if (!done) throw new Error(`POST /v1/fim ended without its last event: ${text.slice(-500)}`);
      return fimDone.parse(done);
    },
  };
}

/** @param stream a finished one: nothing here is shown before the end */
function eventsOf(stream: string): object[] {
  const data = stream.split("\n").filter((line) => line.startsWith("data:"));
  return data.map((line) => JSON.parse(line.slice("data:".length)));
}
