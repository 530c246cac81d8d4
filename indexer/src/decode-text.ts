/** Bytes → text, as an editor would show it: without the byte order mark. */

/**
 * UTF-8, UTF-16 with a byte order mark, or Windows-1252 (which holds Latin-1) when the bytes look like it.
 *
 * @returns `undefined` for what is no text
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return withoutNul(decodeAs("utf-16le", bytes));
  if (first === 0xfe && second === 0xff) return withoutNul(decodeAs("utf-16be", bytes));
  // Anywhere, not only at the start: SQLite and git cut text at a NUL.
  if (bytes.includes(0)) return undefined;
  return decodeAs("utf-8", bytes) ?? (looksLikeLatin(bytes) ? decodeLatin(bytes) : undefined);
}

function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const withoutNul = (text: string | undefined) => (text?.includes("\0") ? undefined : text);

/** In Western European text about one letter in twenty is not ASCII, and control bytes do not occur. */
const LATIN_MAX_HIGH_SHARE = 0.3;

function looksLikeLatin(bytes: Uint8Array): boolean {
  let high = 0;
  for (const byte of bytes) {
    if (byte >= 0x80 && !isUnused(byte)) high++;
    else if (byte >= 0x7f || (byte < 0x20 && !TEXT_CONTROLS.has(byte))) return false;
  }
  return high / bytes.length <= LATIN_MAX_HIGH_SHARE;
}

/** Tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([9, 10, 12, 13, 27]);

/** What Windows-1252 has from 0x80 to 0x9f, where Latin-1 has control characters; a space stands for nothing. */
const WINDOWS = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

const isUnused = (byte: number): boolean => byte < 0xa0 && WINDOWS[byte - 0x80] === " ";

/** Node 20 reads `windows-1252` as Latin-1. */
const decodeLatin = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS[control.charCodeAt(0) - 0x80] ?? control);
