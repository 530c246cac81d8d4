/**
 * JSON values of a body that carries one a line, as they arrive. The Ollama client's own reader prints broken lines to
 * the console and goes on, and takes Ollama's silent end (its repetition guard) for a failure.
 *
 * @throws SyntaxError when a line is no JSON, which is also how a body that was cut inside a line ends
 */
export async function* readJsonLines(response: Response): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
  }
  rest += decoder.decode();
  if (rest.trim()) yield JSON.parse(rest);
}
