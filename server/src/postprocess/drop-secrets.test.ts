import { expect, test } from "vitest";
import { dropSecrets } from "./drop-secrets.ts";

const run = (text: string, prefix = "", suffix = "") =>
  dropSecrets(text, { request: { prefix, suffix }, stop: [] });

// In pieces, for scanners of repositories know the formats too.
const body = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
const keys = {
  aws: `AKIA${"QRSTUVWXYZ234567"}`,
  github: `ghp_${body.slice(0, 36)}`,
  gitlab: `glpat-${body.slice(0, 20)}`,
  slack: `xoxb-${"123456789012-abcdef"}`,
  google: `AIza${body.slice(0, 35)}`,
  stripe: `sk_live_${body.slice(0, 24)}`,
  npm: `npm_${body.slice(0, 36)}`,
  jwt: `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${"c2lnbmF0dXJl"}`,
  pem: `-----BEGIN RSA ${"PRIVATE KEY"}-----\\nMIIEpAIBAAKCAQEA7bq0`,
};

test.each(Object.entries(keys))("a key is dropped: %s", (_, key) => {
  expect(run(`const x = f("${key}");`)).toEqual({ drop: "secret" });
  expect(run(key.slice(6), `const x = "${key.slice(0, 6)}`)).toEqual({ drop: "secret" });
});

test.each([
  `password = "hunter2-Xk9_qLm3"`,
  `"api_key": "${body.slice(0, 24)}"`,
  `const authToken = '${body}';`,
  `x := "${body}"`,
])("what is random is dropped: %s", (text) => {
  expect(run(text)).toEqual({ drop: "secret" });
});

test.each([
  `password = process.env.PASSWORD`,
  `password = "your-password-here-1"`,
  `const tokenType = "application/json"`,
  `token = "\${token1234567890abcdef}"`,
  `key = "user.profile.settings1"`,
  `sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`,
  `url = "https://example.com/a/b/c/d/e/f/g/h1"`,
  `if (text.startsWith("-----BEGIN PRIVATE KEY-----")) {`,
  `name = "AKIA"`,
])("what is none is kept: %s", (text) => {
  expect(run(text)).toBe(text);
});

test("what stands in the file already is no secret from the user", () => {
  expect(run(`use("${keys.aws}")`, `const a = "${keys.aws}";\n`)).toBe(`use("${keys.aws}")`);
  expect(run(`token = "${body}"`, "", `\ncheck("${body}")`)).toBe(`token = "${body}"`);
});

test("a quote that the editor closed already ends a value as well", () => {
  const secret = "hunter2-Xk9_qLm3";
  expect(run(secret, 'password = "', '"\n')).toEqual({ drop: "secret" });
  expect(run(secret.slice(4), `password = "${secret.slice(0, 4)}`, '"\n')).toEqual({ drop: "secret" });
  expect(run(" && ready", `if (password === "${secret}`, '"')).toBe(" && ready");
  expect(run("hello, world and all", 'password = "', '"\n')).toBe("hello, world and all");
});
