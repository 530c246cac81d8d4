/** Files that hold secrets. Decided by name alone: they are never read, so never sent. */

const SECRET_NAMES = [
  /^\.env(\..*)?$/,
  /\.env$/,
  /^\.envrc$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_.*)?$/,
  /^\.(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials)$/,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini))?$/,
];

/** @param path with `/`, relative or not; upper and lower case are alike */
export function isSecretFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  // Public halves are written to be shown.
  return !name.endsWith(".pub") && SECRET_NAMES.some((secret) => secret.test(name));
}
