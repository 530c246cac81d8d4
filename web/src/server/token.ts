/** The server's `DHI_TOKEN`, when it has one: asked of the person, and forgotten with the tab. */
import { signal } from "@preact/signals";

const KEY = "dhi.token";

export const token = signal(sessionStorage.getItem(KEY) ?? "");

/** The server refused the last request for want of a token, or of the right one. */
export const tokenWanted = signal(false);

export function setToken(value: string): void {
  sessionStorage.setItem(KEY, value);
  token.value = value;
  tokenWanted.value = false;
}
