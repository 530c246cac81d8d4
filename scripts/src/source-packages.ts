/**
 * Real code in six languages to try things on, fetched when it is needed by the machine's own npm, pip and go. Nothing of
 * a package is run, and nothing of it is part of this repository.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

export interface SourcePackage {
  readonly name: string;
  /** Where its sources lie, without the build that a package may carry beside them. Shared: not to be written to. */
  readonly dir: string;
}

/**
 * Comes from the cache after the first time. Safe to call from several processes.
 *
 * @param say gets one line for each package that cannot be had and is left out (offline, no go, …)
 */
export async function sourcePackages(
  say: (line: string) => void = console.warn,
  packages: readonly PackageSpec[] = PACKAGES,
): Promise<SourcePackage[]> {
  const found: SourcePackage[] = [];
  for (const spec of packages) {
    const { name, version } = spec;
    const dir = join(
      cacheFolder("packages"),
      `${name.replaceAll(/[^\w.]+/g, "-")}-${version}`.replace(/^-/, ""),
    );
    try {
      if (!existsSync(dir)) await fetchPackage(spec, dir);
      found.push({ name, dir });
    } catch (error) {
      say(`left out: ${name} ${version} (${errorLine(error)})`);
    }
  }
  return found;
}

/** Where what is slow to make or fetch stays between runs; never inside a checkout. */
export const cacheFolder = (name: string): string =>
  join(process.env.DHI_TOOLS_CACHE || resolve(homedir(), ".cache", "dhi-tools"), name);

export interface PackageSpec {
  readonly client: "npm" | "pip" | "go";
  readonly name: string;
  readonly version: string;
  /** The folder of it that is kept. */
  readonly sources: string;
}

export const PACKAGES: readonly PackageSpec[] = [
  // TypeScript, with JSX in the last one.
  { client: "npm", name: "rxjs", version: "7.8.1", sources: "src" },
  { client: "npm", name: "effect", version: "3.10.0", sources: "src" },
  { client: "npm", name: "@blueprintjs/core", version: "5.10.0", sources: "src" },
  // JavaScript; Vue and Svelte components.
  { client: "npm", name: "three", version: "0.169.0", sources: "src" },
  { client: "npm", name: "svelte", version: "5.1.0", sources: "src" },
  { client: "npm", name: "element-ui", version: "2.15.14", sources: "packages" },
  { client: "npm", name: "carbon-components-svelte", version: "0.85.3", sources: "src" },
  // Python, with notebooks in the last one.
  { client: "pip", name: "Django", version: "5.1.1", sources: "django" },
  { client: "pip", name: "SQLAlchemy", version: "2.0.35", sources: "lib" },
  { client: "pip", name: "nbconvert", version: "7.16.4", sources: "." },
  // Rust, with Python beside it.
  { client: "pip", name: "ruff", version: "0.6.9", sources: "crates" },
  { client: "pip", name: "pydantic-core", version: "2.23.4", sources: "." },
  // Java.
  { client: "npm", name: "react-native", version: "0.70.15", sources: "ReactAndroid/src/main/java" },
  { client: "pip", name: "JPype1", version: "1.5.0", sources: "native/java" },
  // Go.
  { client: "go", name: "golang.org/x/tools", version: "v0.26.0", sources: "." },
  { client: "go", name: "github.com/gin-gonic/gin", version: "v1.10.0", sources: "." },
];

const TIMEOUT_MS = 5 * 60_000;

/** The package appears whole at `dir` or not at all. */
async function fetchPackage(spec: PackageSpec, dir: string): Promise<void> {
  mkdirSync(dirname(dir), { recursive: true });
  const work = mkdtempSync(join(dirname(dir), ".fetching-"));
  try {
    const unpacked = await clients[spec.client](spec, work);
    try {
      renameSync(join(unpacked, spec.sources), dir);
    } catch (error) {
      // Another process was faster.
      if (!existsSync(dir)) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns the folder that holds the package's files, beneath `work` */
type FetchFrom = (spec: PackageSpec, work: string) => Promise<string>;

const clients: Readonly<Record<PackageSpec["client"], FetchFrom>> = {
  async npm({ name, version }, work) {
    await run("npm", ["pack", "--silent", "--ignore-scripts", `${name}@${version}`], work);
    return unpack(work);
  },

  async pip({ name, version }, work) {
    const backends = join(work, "backends");
    writeBuildBackends(backends);
    const args = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
    const fromSource = ["--no-binary", ":all:", "--no-build-isolation", "--use-pep517"];
    await run("python3", [...args, ...fromSource, "--dest", work, `${name}==${version}`], work, {
      PYTHONPATH: backends,
      PYTHONDONTWRITEBYTECODE: "1",
    });
    return unpack(work);
  },

  async go({ name, version }, work) {
    const stdout = await run("go", ["mod", "download", "-json", `${name}@${version}`], work, {
      GOMODCACHE: join(work, "modules"),
      // Else go leaves folders that cannot be moved or deleted.
      GOFLAGS: "-modcacherw",
      // The one that is installed will do: nothing is compiled.
      GOTOOLCHAIN: "local",
    });
    return JSON.parse(stdout).Dir;
  },
};

async function unpack(work: string): Promise<string> {
  const archive = readdirSync(work).find((name) => /\.(tgz|tar\.gz)$/.test(name));
  if (!archive) throw new Error("no archive came");
  const out = join(work, "unpacked");
  mkdirSync(out);
  await run("tar", ["-xzf", join("..", archive)], out);
  const [top] = readdirSync(out);
  if (top === undefined) throw new Error(`${archive} is empty`);
  return join(out, top);
}

/**
 * Before pip hands out a source archive it has the package's build backend tell its metadata, which runs the package's
 * own code and may want a compiler. These stand in for the backends of our packages; the answer is in PKG-INFO already.
 */
function writeBuildBackends(dir: string): void {
  for (const backend of ["maturin/__init__.py", "setuptools/build_meta.py", "hatchling/build.py"]) {
    const file = join(dir, backend);
    mkdirSync(dirname(file), { recursive: true });
    // Makes it a package, which an installed one of that name would otherwise hide.
    writeFileSync(join(dirname(file), "__init__.py"), "");
    writeFileSync(file, BUILD_BACKEND);
  }
}

const BUILD_BACKEND = `
import pathlib, sys

def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path("PKG-INFO").read_text(encoding="utf-8")
    field = lambda name: next(l.split(":", 1)[1].strip() for l in info.splitlines() if l.startswith(name + ":"))
    folder = f"{field('Name').replace('-', '_')}-{field('Version')}.dist-info"
    pathlib.Path(metadata_directory, folder).mkdir()
    pathlib.Path(metadata_directory, folder, "METADATA").write_text(info, encoding="utf-8")
    return folder

# What pip asks for where a package names no backend.
__legacy__ = sys.modules[__name__]
`;

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], {
    cwd,
    env: { ...process.env, ...env },
    timeout: TIMEOUT_MS,
    // npm is a script there.
    shell: process.platform === "win32",
  });
  return stdout;
}

/** The last line that speaks of an error; npm and pip add hints behind it. */
function errorLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = "stderr" in error && typeof error.stderr === "string" ? error.stderr.trim() : "";
  const lines = (said || error.message.trim()).split("\n");
  return lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? "";
}
