/** `█` marks the cursor. */
export function atCursor(source: string): { prefix: string; suffix: string } {
  const [prefix, suffix, ...rest] = source.split("█");
  if (prefix === undefined || suffix === undefined || rest.length)
    throw new Error(`one █ expected in: ${source}`);
  return { prefix, suffix };
}
