/** What is typed to find a path by, as a request may have it. */

/** As long as the server takes. */
const MOST_CHARS = 200;

/** @returns the end of a text that is too long, which is what tells one path from the next; `undefined` for blanks */
export const searchText = (typed: string): string | undefined => typed.trim().slice(-MOST_CHARS) || undefined;
