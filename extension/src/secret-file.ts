/**
 * Files that hold secrets, by name alone: they are never read, so never sent. The same rule as the indexer's, which is not
 * imported because only types of other packages may come into the bundle.
 */

/** @param path relative to the workspace, with `/` */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (SECRET_NAME.test(name) && !SHARED_NAME.test(name)) || SECRET_FOLDER.test(path);
}

const SECRET_NAME = new RegExp(
  [
    "^\\.env(?:rc)?(?:[._-].*)?$",
    "\\.env$",
    "\\.(?:pem|key|p12|pfx|keystore|jks|p8|kdbx|ppk|asc|gpg)$",
    "^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$",
    "^\\.(?:npmrc|yarnrc|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$",
    "^_netrc$",
    "^(?:credentials|secrets?)(?:\\.(?:json|ya?ml|toml|ini))?$",
    "^service-account.*\\.json$",
  ].join("|"),
  "i",
);
/** Made to be shared: `.env.example`. A public key is no secret either. */
const SHARED_NAME = /[._-](?:example|sample|template|dist)$|\.pub$/i;
const SECRET_FOLDER = /(?:^|\/)\.(?:ssh|gnupg|aws|kube|docker)\//;
