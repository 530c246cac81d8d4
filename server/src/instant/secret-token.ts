/** Keys and passwords that found their way into code: they must not come out of it as a suggestion elsewhere. */

/** Shorter ones cannot be told from names. */
const MIN_LENGTH = 16;
/** What services put before their keys: AWS, Google, GitHub, GitLab, Stripe, Slack, npm, JSON Web Tokens. */
const KNOWN_START = /^(AKIA|ASIA|AIza|gh[oprsu]_|github_pat_|glpat|[spr]k_(live|test)_|xox[abprs]|npm_|eyJ)/;
const HEX = /^(0x)?[\da-f]{32,}$/i;
/** Changes between letters and digits, or inside of a run of letters from small to large and back, that no name has. */
const MIN_CHANGES = 6;

/** @param token one of the lexer's, so without quotes, dots and dashes */
export function looksLikeSecret(token: string): boolean {
  if (token.length < MIN_LENGTH || !/^\w+$/.test(token)) return false;
  if (KNOWN_START.test(token) || HEX.test(token)) return true;
  if (!/\d/.test(token) || !/[A-Za-z]/.test(token)) return false;
  const changes = token.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return changes >= MIN_CHANGES;
}
