/** How much of something is done, drawn with letters. */
const WIDTH = 24;

/** @param share 0 to 1 */
export const bar = (share: number): string => `[${"#".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, ".")}]`;
