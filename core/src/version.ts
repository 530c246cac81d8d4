/** Dhi's own version, as `/health` reports it. A test holds it against package.json. */
export const VERSION = "0.1.0";
