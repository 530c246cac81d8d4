/**
 * Files that hold secrets, by name alone: they are never read. The extension never sends them either, by a list of its own
 * (`extension/src/secret-file.ts`); a test there holds the two together.
 */
import { posix } from "node:path";

interface SecretRule {
  /** Follows "named like". */
  readonly what: string;
  readonly pattern: RegExp;
}

/** What a file's name gives away. */
const BY_NAME: readonly SecretRule[] = [
  {
    what: "settings of an environment",
    pattern: /^\.env(?:rc)?(?:[._-].*)?$|\.env$|^\.dev\.vars(?:\..*)?$/i,
  },
  {
    what: "a key or a key store",
    pattern: /\.(?:pem|key|p12|pfx|pkcs12|keystore|jks|jceks|bks|keytab|p8|kdbx?|ppk|asc|gpg|pgp|ovpn)$/i,
  },
  { what: "a private key of SSH", pattern: /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/i },
  {
    what: "the log-in of a tool",
    pattern:
      /^\.(?:npmrc|yarnrc(?:\.ya?ml)?|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg|dockerconfigjson|my\.cnf|boto|s3cfg|terraformrc|sentryclirc|vault[-_]?(?:token|pass(?:word)?)(?:\..*)?)$|^_netrc$|^(?:terraform\.rc|rclone\.conf|kaggle\.json|wp-config\.php)$|^kubeconfig$|\.kubeconfig$/i,
  },
  {
    what: "secrets or credentials",
    pattern:
      /^(?:credentials|secrets?)(?:[._-][\w.-]*)?\.(?:json|ya?ml|toml|ini|cfg|conf|properties|txt|xml|enc)$|^(?:credentials|secrets?)$|[._-]credentials\.(?:json|ya?ml|toml|ini)$/i,
  },
  {
    what: "the account of a program",
    pattern:
      /^(?:.*[._-])?service[-_]?account.*\.json$|firebase-adminsdk.*\.json$|^client_secret.*\.json$|^application_default_credentials\.json$|^google-services\.json$|^GoogleService-Info\.plist$/i,
  },
  {
    what: "Terraform's state or variables, which hold secrets in plain text",
    pattern: /\.tfstate(?:\..*)?$|\.tfvars(?:\.json)?$/i,
  },
  {
    what: "what was typed into a shell",
    pattern: /^\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli)_?history$/i,
  },
];

/** What the folder gives away, whatever the file is called. */
const BY_FOLDER: readonly SecretRule[] = [
  { what: "keys", pattern: /(?:^|\/)\.(?:ssh|gnupg|password-store)\//i },
  {
    what: "the log-in of a tool",
    pattern:
      /(?:^|\/)(?:\.aws\/(?:credentials|config|sso\/|cli\/)|\.kube\/(?:config|cache\/)|\.docker\/config\.json|\.azure\/|\.config\/(?:gcloud|gh)\/|\.(?:cargo|gem|pulumi)\/credentials|\.composer\/auth\.json)/i,
  },
];

/** Made to be shared: `.env.example`. A public key is no secret either. */
const SHARED_NAME = /[._-](?:example|sample|template|dist)$|\.pub$/i;

const ANY_NAME = new RegExp(BY_NAME.map(({ pattern }) => pattern.source).join("|"), "i");

/** @returns what its name gives away, in words that follow "named like"; `undefined` for any other file */
export function whySecret(path: string): string | undefined {
  const name = posix.basename(path);
  const byFolder = BY_FOLDER.find(({ pattern }) => pattern.test(path));
  if (byFolder) return byFolder.what;
  if (!ANY_NAME.test(name) || SHARED_NAME.test(name)) return undefined;
  return BY_NAME.find(({ pattern }) => pattern.test(name))?.what;
}

/** Changes with the rules. */
export const SECRET_RULES: string = [...BY_NAME, ...BY_FOLDER, { pattern: SHARED_NAME }]
  .map(({ pattern }) => pattern.source)
  .join("\n");
