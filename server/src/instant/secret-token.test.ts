import { expect, test } from "vitest";
import { looksLikeSecret } from "./secret-token.ts";

// Made up; put together here so that no scanner takes them for real ones.
const key = (...parts: string[]) => parts.join("");

test.each([
  ["an AWS key", key("AKIA", "IOSFODNN7EXAMPLE")],
  ["a GitHub token", key("ghp_", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ")],
  ["a Stripe key", key("sk_live_", "abcdefghijklmnop")],
  ["an npm token", key("npm_", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ")],
  ["a Hugging Face token", key("hf_", "abcdefghijklmnopqrstuvwxyzABCDEFGH")],
  ["the head of a JSON Web Token", key("eyJ", "hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9")],
  ["a hash", "d41d8cd98f00b204e9800998ecf8427e"],
  ["letters and digits in no order", "q7Zr2Kp9Xw4Lm1Vt8"],
])("takes %s for a secret", (_, token) => {
  expect(looksLikeSecret(token)).toBe(true);
});

test.each([
  "createInternationalizedDateFormatter",
  "test_parses_utf8_and_utf16_input",
  "MAX_RETRIES_BEFORE_GIVING_UP_3",
  "npm_config_registry",
  "hf_hub_download_url",
  "eyJ",
  "1234567890123456789",
  "a1b2c3",
  "0xdeadbeef",
  "größenänderungsverzögerung",
])("leaves %s alone", (token) => {
  expect(looksLikeSecret(token)).toBe(false);
});
