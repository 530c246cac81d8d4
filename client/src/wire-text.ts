/** What the wire takes of any text: no NUL and no lone surrogate. Files may hold either, and a cut may go through a pair. */
export const wireText = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed();
