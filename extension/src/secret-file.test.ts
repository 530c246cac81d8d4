import { expect, test } from "vitest";
import { isSecretFile } from "./secret-file.ts";

test.each([
  ...[
    ".env",
    "a/.env.local",
    ".envrc",
    "prod.env",
    "tls/server.pem",
    "tls/SERVER.KEY",
    "id_rsa",
    "id_ed25519",
  ],
  ...[
    "x.p12",
    ".npmrc",
    "secrets.yaml",
    "credentials",
    ".ssh/config",
    "home/.aws/config",
    "service-account-1.json",
  ],
])("%s is never sent", (path) => {
  expect(isSecretFile(path)).toBe(true);
});

test.each([
  ...[
    "src/env.ts",
    ".env.example",
    "id_rsa.pub",
    "keys.ts",
    "src/secrets.ts",
    "credentials.py",
    "monkey.md",
    "a.environment",
  ],
])("%s is code like any other", (path) => {
  expect(isSecretFile(path)).toBe(false);
});
