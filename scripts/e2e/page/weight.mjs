/** What the page may weigh: bytes as they are sent, which do not depend on how busy the machine is. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const BUILT = fileURLToPath(new URL("../../../web/dist/page", import.meta.url));

export const BUDGETS = {
  /** Everything that has to be there before something shows. */
  first: { js: 60_000, css: 12_000 },
  /** With the editor and every language. */
  all: { js: 1_500_000, css: 45_000 },
};

/** @returns by name, without the hash: bytes as they are, and as they are sent */
export function builtFiles() {
  const assets = join(BUILT, "assets");
  const names = readdirSync(assets);
  return names
    .filter((name) => /\.(js|css|ttf|svg)$/.test(name))
    .map((name) => ({
      file: name,
      name: name.replace(/-[\w-]{8}(?=\.\w+$)/, ""),
      bytes: statSync(join(assets, name)).size,
      sent: statSync(join(assets, names.includes(`${name}.gz`) ? `${name}.gz` : name)).size,
    }))
    .sort((a, b) => b.sent - a.sent);
}

/** @returns those that the page itself names: what it needs before it shows */
export function firstFiles(files = builtFiles()) {
  const page = readFileSync(join(BUILT, "index.html"), "utf8");
  return files.filter(({ file }) => page.includes(file));
}

/** @param kind the end of a name, such as `js` */
export const sentOf = (files, kind) =>
  files.filter(({ name }) => name.endsWith(`.${kind}`)).reduce((sum, { sent }) => sum + sent, 0);
