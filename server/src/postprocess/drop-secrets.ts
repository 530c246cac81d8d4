/**
 * Drops what looks like a key or a password: made up it is worth nothing, and learned by heart it is somebody's. What
 * stands in the file already is no secret from the user.
 */
import type { Step } from "./step.ts";

/** Formats that their issuers publish, so that keys can be found. */
const KEYS: readonly RegExp[] = [
  // AWS: access key ids.
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z2-7]{16}\b/g,
  // GitHub: tokens of all kinds. GitLab: personal ones.
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{22,}\b|\bglpat-[\w-]{20,}/g,
  // Slack: tokens and webhooks.
  /\bxox[abeoprs]-[\w-]{10,}|hooks\.slack\.com\/services\/[\w/]{20,}/g,
  // Google: API keys and OAuth secrets.
  /\bAIza[\w-]{35}|\bGOCSPX-[\w-]{20,}/g,
  // Stripe, OpenAI, Anthropic, npm, PyPI, Hugging Face, SendGrid.
  /\b[sr]k_live_[A-Za-z0-9]{16,}|\bsk-(?:ant-|proj-)?[\w-]{32,}|\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[\w-]{40,}|\bhf_[A-Za-z0-9]{30,}\b|\bSG\.[\w-]{16,}\.[\w-]{32,}/g,
  // JSON Web Tokens: three parts, the first two are JSON.
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  // Private keys with some of their body; the line above it alone is what parsers look for.
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\r|\\n|\s|["'+])+[A-Za-z0-9+/=]{16,}/g,
];

/** `password = "…"`, `"apiKey": "…"`, and any other name whose value is long. */
const ASSIGNED = /([\w$-]*)["'`\]]{0,2}\s*(?::=|=>|[:=])\s*["'`]([A-Za-z0-9+/_=~.!@#$%^&*-]{16,})["'`]/g;
const QUOTE = /["'`]/;
/** Editors close a quote as it is opened: then the one that ends the value stands right of the cursor. */
const CLOSED_ALREADY = /^["'`]/;
const SECRET_NAME = /key|token|secret|passw|pwd|credential|auth/i;
/** Bits per character. English words and identifiers have 3 to 3.5 at this length, random letters and digits over 4. */
const NAMED_ENTROPY = 3.3;
const ANY_ENTROPY = 4.2;
const ANY_LENGTH = 32;
/** What is left of the cursor may hold the beginning. */
const MAX_BEFORE = 2_000;

export const dropSecrets: Step = (text, { request }) => {
  const before = request.prefix.slice(-MAX_BEFORE);
  const whole = before + text;
  const isNew = (secret: string, at: number) =>
    at + secret.length > before.length &&
    !request.prefix.includes(secret) &&
    !request.suffix.includes(secret);
  for (const key of KEYS) {
    for (const { 0: secret, index } of whole.matchAll(key)) {
      if (isNew(secret, index)) return { drop: "secret" };
    }
  }
  const closer = CLOSED_ALREADY.exec(request.suffix)?.[0] ?? "";
  // What ends left of the cursor stands in the file already.
  if (!QUOTE.test(text + closer)) return text;
  for (const { 0: all, 1: name = "", 2: value = "", index } of (whole + closer).matchAll(ASSIGNED)) {
    if (isRandom(value, name) && isNew(value, index + all.lastIndexOf(value))) return { drop: "secret" };
  }
  return text;
};

function isRandom(value: string, name: string): boolean {
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (!isMixed || isPlaceholder(value)) return false;
  const bits = entropyOf(value);
  if (SECRET_NAME.test(name)) return bits >= NAMED_ENTROPY && !/^[a-z]+(?:[._/-][a-z]+\d?)+$/i.test(value);
  return (
    value.length >= ANY_LENGTH &&
    bits >= ANY_ENTROPY &&
    /^[\w+/=-]+$/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value)
  );
}

/** What people write where a secret belongs. */
const isPlaceholder = (value: string): boolean =>
  /^(?:your|my|test|example|dummy|fake|changeme|xxx|placeholder|sample|insert)|x{4}|\.{3}|\*{3}|\$\{|<.*>/i.test(
    value,
  );

/** Shannon's, in bits per character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
