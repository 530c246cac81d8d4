/** A status in which all is well and nothing has happened yet. */
import type { Status } from "../status.ts";
import { serverStatus } from "./answers.ts";

export const statusWith = (changed: Partial<Status> = {}): Status => ({
  ...{ enabled: true, snoozedUntil: 0, onDemand: undefined, loading: 0, startedHere: false },
  ...{ serverUrl: "http://127.0.0.1:8000", server: { kind: "ready", status: serverStatus() } },
  ...{ silence: undefined, last: undefined },
  ...changed,
});
