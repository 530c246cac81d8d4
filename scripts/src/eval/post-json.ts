/** Asks the server. */

/** A connection that is kept open may be ended by the server at the very moment it is used again. */
const TRIES = 3;

/** @throws for any status but 200, with the server's own words */
export async function postJson(url: string, body: object): Promise<unknown> {
  for (let left = TRIES - 1; ; left--) {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) }).catch(
      (error: unknown) => {
        if (left === 0) throw error;
      },
    );
    if (!response) continue;
    if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
