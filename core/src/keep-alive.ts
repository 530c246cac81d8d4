/**
 * For `createServer`: milliseconds that an idle connection stays open. Node's own 5 seconds are shorter than a busy machine
 * may hold a process up; it would then close a connection whose next request has already arrived.
 */
export const KEEP_ALIVE_MS = 65_000;
