// What `npm start` and `npm test` need before any other code of ours can run: packages and a build. No dependencies.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeModules = join(root, "node_modules");
/** Native modules are built for one ABI of Node: another one needs another installation. */
const abiFile = join(nodeModules, ".dhi-node-abi");
const abi = `${process.platform}-${process.arch}-${process.versions.modules}`;

export const say = (line) => console.log(line);

/**
 * `npm ci`, when what is installed is not what package-lock.json says.
 * @throws with npm's last lines
 */
export async function install() {
  if (isInstalled()) return;
  // Removed first: an interrupted installation must not look like a finished one.
  rmSync(join(nodeModules, ".package-lock.json"), { force: true });
  say("Installing packages (npm ci; a few minutes the first time, not needed again)…");
  const started = Date.now();
  let unpacked = 0;
  const ticker = setInterval(() => {
    const now = installedPackages();
    // What is slow after that is the compiler, where no prebuilt binary can be fetched.
    const native = now > 0 && now === unpacked ? ", building native modules" : "";
    unpacked = now;
    say(`  ${seconds(started)}: ${now} packages unpacked${native}`);
  }, 10_000);
  try {
    const npm = process.env.npm_execpath;
    const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    await (npm
      ? run(process.execPath, [npm, ...args])
      : run("npm", args, { shell: process.platform === "win32" }));
  } catch (error) {
    throw new Error(`npm ci failed; mend what it names and try again:\n${error.message}`);
  } finally {
    clearInterval(ticker);
  }
  writeFileSync(abiFile, abi);
  say(`  installed in ${seconds(started)}`);
}

/**
 * `tsc -b`, which does nothing where nothing changed.
 * @param projects folders of the workspace; none means all
 * @throws with the compiler's errors
 */
export async function build(...projects) {
  const started = Date.now();
  const tsc = join(nodeModules, "typescript", "bin", "tsc");
  const slow = setTimeout(() => say("Building (a minute the first time, seconds after that)…"), 2_000);
  try {
    await run(process.execPath, [tsc, "-b", ...projects]);
  } catch (error) {
    throw new Error(`the build failed:\n${error.message}`);
  } finally {
    clearTimeout(slow);
  }
  say(`Built in ${seconds(started)}`);
}

/**
 * The page at `/`, when what it is made of is not what it was made of last.
 * @throws with Vite's last lines
 */
export async function buildPage() {
  const made = join(root, "web", "dist", "page", "made-of");
  const inputs = pageInputs();
  if (readOrUndefined(made) === inputs) return;
  const started = Date.now();
  const vite = join(nodeModules, "vite", "bin", "vite.js");
  try {
    await run(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: join(root, "web") });
  } catch (error) {
    throw new Error(`the page could not be built:\n${error.message}`);
  }
  writeFileSync(made, inputs);
  say(`Built the page in ${seconds(started)}`);
}

/** A hash of its own files, which name the versions of the packages in it, and of the package it shares with the editors. */
function pageInputs() {
  const hash = createHash("sha1");
  const files = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const own = ["index.html", "package.json", "vite.config.ts"].map((name) => join(root, "web", name));
  for (const file of [...own, ...files("web/src"), ...files("client/src")].sort())
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

/** npm leaves a copy of the lock file in node_modules at the very end of an installation: is it still the same one? */
function isInstalled() {
  const wanted = readLock(root, "package-lock.json");
  const present = readLock(nodeModules, ".package-lock.json");
  if (!wanted || !present) return false;
  const builtFor = readOrUndefined(abiFile);
  if (builtFor !== undefined && builtFor !== abi) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      // Optional ones are missing where they are for another platform, links are our own folders.
      !path.startsWith("node_modules/") || link || optional || present[path]?.version === version,
  );
}

function readLock(dir, name) {
  const text = readOrUndefined(join(dir, name));
  return text === undefined ? undefined : JSON.parse(text).packages;
}

function readOrUndefined(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function installedPackages() {
  try {
    const names = readdirSync(nodeModules).filter((name) => !name.startsWith("."));
    return names.flatMap((n) => (n.startsWith("@") ? readdirSync(join(nodeModules, n)) : [n])).length;
  } catch {
    return 0;
  }
}

/** Runs to the end in the repository's root; what it printed is shown only when it fails. Ends with us. */
function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], ...options });
  const forward = (signal) => {
    child.kill(signal);
    process.exit(1);
  };
  process.once("SIGINT", forward).once("SIGTERM", forward);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      if (code === 0) resolve();
      else reject(new Error(output.trim().split("\n").slice(-30).join("\n")));
    });
  });
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
