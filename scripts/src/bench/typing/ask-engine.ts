/** A peer's call of the engine: the open file alone, in Qwen's format, as all of them send it. */
import type { Editor } from "./policy.ts";

export interface Asked {
  /** As far as it has come. */
  readonly text: string;
}

const PREFIX_CHARS = 4_000;
const SUFFIX_CHARS = 1_000;

/**
 * @param onText gets all of the text so far; returns whether to read on
 * @returns the text; what had come when the signal fired
 */
export async function askEngine(
  { url, model, maxTokens = 128 }: { url: string; model: string; maxTokens?: number },
  { prefix, suffix }: Editor,
  onText: (text: string) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const own = new AbortController();
  const prompt = `<|fim_prefix|>${prefix.slice(-PREFIX_CHARS)}<|fim_suffix|>${suffix.slice(0, SUFFIX_CHARS)}<|fim_middle|>`;
  let text = "";
  try {
    const response = await fetch(`${url}/api/generate`, {
      method: "POST",
      body: JSON.stringify({ model, prompt, raw: true, stream: true, options: { num_predict: maxTokens } }),
      signal: AbortSignal.any([signal, own.signal]),
    });
    let rest = "";
    for await (const chunk of response.body ?? []) {
      const lines = (rest + Buffer.from(chunk).toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) text += JSON.parse(line).response;
      if (!onText(text)) {
        own.abort();
        break;
      }
    }
  } catch (error) {
    if (!signal.aborted && !own.signal.aborted) throw error;
  }
  return text;
}

/** What peers without a parser show of a text: its first line, or all of it where the cursor's line is blank. */
export function shownOf(text: string, { prefix }: Editor): string {
  const line = prefix.slice(prefix.lastIndexOf("\n") + 1);
  return line.trim() === "" ? text.trimEnd() : (text.split("\n")[0] ?? "");
}
