/** Reads `text/event-stream` (WHATWG HTML §9.2), of which Dhi uses the data only. */

/**
 * @returns the data of each event, its lines joined by `\n`; an event that the end of the stream cut off is left out, as
 * the standard wants it
 */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((l) => l.replace(/\r$/, ""))) {
      if (line === "" && data.length) {
        yield data.join("\n");
        data = [];
      } else if (line.startsWith("data:")) {
        data.push(line.slice("data:".length).replace(/^ /, ""));
      }
    }
  }
}
