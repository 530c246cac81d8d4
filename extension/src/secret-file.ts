/**
 * Files that hold secrets, by name alone: they are never read, so never sent. The same rule as the indexer's, which is not
 * imported because only types of other packages may come into the bundle.
 */

/** @param path relative to the workspace, with `/` */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isNamedSo = SECRET_NAMES.some((pattern) => pattern.test(name)) && !SHARED_NAME.test(name);
  return isNamedSo || SECRET_PLACES.some((pattern) => pattern.test(path));
}

const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(?:rc)?(?:[._-].*)?$|\.env$|^\.dev\.vars(?:\..*)?$/i,
  /\.(?:pem|key|p12|pfx|pkcs12|keystore|jks|jceks|bks|keytab|p8|kdbx?|ppk|asc|gpg|pgp|ovpn)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/i,
  /^\.(?:npmrc|yarnrc(?:\.ya?ml)?|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg|dockerconfigjson|my\.cnf|boto|s3cfg|terraformrc|sentryclirc|vault[-_]?(?:token|pass(?:word)?)(?:\..*)?)$|^_netrc$|^(?:terraform\.rc|rclone\.conf|kaggle\.json|wp-config\.php)$|^kubeconfig$|\.kubeconfig$/i,
  /^(?:credentials|secrets?)(?:[._-][\w.-]*)?\.(?:json|ya?ml|toml|ini|cfg|conf|properties|txt|xml|enc)$|^(?:credentials|secrets?)$|[._-]credentials\.(?:json|ya?ml|toml|ini)$/i,
  /^(?:.*[._-])?service[-_]?account.*\.json$|firebase-adminsdk.*\.json$|^client_secret.*\.json$|^application_default_credentials\.json$|^google-services\.json$|^GoogleService-Info\.plist$/i,
  /\.tfstate(?:\..*)?$|\.tfvars(?:\.json)?$/i,
  /^\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli)_?history$/i,
];
const SECRET_PLACES: readonly RegExp[] = [
  /(?:^|\/)\.(?:ssh|gnupg|password-store)\//i,
  /(?:^|\/)(?:\.aws\/(?:credentials|config|sso\/|cli\/)|\.kube\/(?:config|cache\/)|\.docker\/config\.json|\.azure\/|\.config\/(?:gcloud|gh)\/|\.(?:cargo|gem|pulumi)\/credentials|\.composer\/auth\.json)/i,
];
/** Made to be shared: `.env.example`. A public key is no secret either. */
const SHARED_NAME = /[._-](?:example|sample|template|dist)$|\.pub$/i;
