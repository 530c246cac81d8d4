/** Keys and passwords that found their way into code: they must not come out of it as a suggestion elsewhere. */

/** Shorter ones cannot be told from names. */
const MIN_LENGTH = 16;
/**
 * What services put before their keys: AWS, Google, GitHub, Stripe, npm, Hugging Face, JSON Web Tokens. Where names may
 * start so too, with the length of the key. Keys with a dash (GitLab, Slack) fall apart into tokens: what is behind it
 * has to give itself away. `postprocess/drop-secrets.ts` looks at whole keys.
 */
const KNOWN_START =
  /^((AKIA|ASIA|AROA|AIDA)[A-Z2-7]{16}|AIza|gh[oprsu]_|github_pat_|[spr]k_(live|test)_|npm_[A-Za-z\d]{36}|hf_[A-Za-z\d]{30}|eyJ)/;
const HEX = /^(0x)?[\da-f]{32,}$/i;
/** Changes between letters and digits, more than any name has. */
const MIN_CHANGES = 6;

/** @param token one of the lexer's, so without quotes, dots and dashes */
export function looksLikeSecret(token: string): boolean {
  if (token.length < MIN_LENGTH || !/^\w+$/.test(token)) return false;
  if (KNOWN_START.test(token) || HEX.test(token)) return true;
  if (!/\d/.test(token) || !/[A-Za-z]/.test(token)) return false;
  const changes = token.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return changes >= MIN_CHANGES;
}
