import { skipByName } from "@dhi/indexer/skip-reason";
import { expect, test } from "vitest";
import { isSecretFile } from "./secret-file.ts";

const secret = [
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
  ...["id_rsa.bak", ".dev.vars", ".yarnrc.yml", "prod.tfstate", "prod.auto.tfvars", "secrets.prod.yaml"],
  ...["aws-credentials.json", "client_secret_1.json", "shop-firebase-adminsdk-x.json", "wp-config.php"],
  ...["google-services.json", "dev.kubeconfig", ".kube/config", ".docker/config.json", ".azure/x"],
  ...[".config/gh/hosts.yml", ".bash_history", "a.ovpn", "_netrc", ".vault-token", "kaggle.json"],
];
const plain = [
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
  ...[".docker/nginx.conf", ".aws/task.json", ".kube/deploy.yaml", "wp-config-sample.php", "auth.json"],
  ...["variables.tf", "history.ts", "secrets_manager.go", "service.json", "account.json"],
];

test.each(secret)("%s is never sent", (path) => {
  expect(isSecretFile(path)).toBe(true);
});

test.each(plain)("%s is code like any other", (path) => {
  expect(isSecretFile(path)).toBe(false);
});

test("the indexer leaves out the same files", () => {
  const paths = [...secret, ...plain].flatMap((path) => [
    path,
    `deep/${path}`,
    `${path}.bak`,
    `${path}.sample`,
    `${path}/x`,
  ]);
  const differing = paths.filter((path) => isSecretFile(path) !== (skipByName(path) === "secret"));
  expect(differing).toEqual([]);
});
