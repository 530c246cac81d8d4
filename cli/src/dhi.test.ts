import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type FakeServer, startFakeServer } from "@dhi/core/testing/fake-server";
import { tempDir, tempRepo } from "@dhi/core/testing/temp-repo";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { commands, dhi } from "./dhi.ts";

const answers: Record<string, object> = {
  "/code/shop/a.ts": {
    path: "a.ts",
    indexed: true,
    chunks: 2,
    language: "typescript",
    detail: "in the index",
  },
  "/code/shop/x.log": {
    ...{ path: "x.log", indexed: false, skipped: "ignored", detail: "ignored by .gitignore:3: *.log" },
    hint: "Change that rule.",
  },
};
let fake: FakeServer;
let asked: string[];
/** Where the server has its workspace. */
let served: string;
beforeAll(async () => {
  fake = await startFakeServer((request, response) => {
    const query = new URL(request.path, "http://x").searchParams;
    const path = query.get("path") ?? "";
    if (request.path.startsWith("/v1/status")) {
      response.end(JSON.stringify({ workspaces: [{ name: "shop", path: served }] }));
      return;
    }
    if (request.path.startsWith("/v1/doctor")) {
      response.end(JSON.stringify({ status: "ok", checks: [] }));
      return;
    }
    asked.push(path);
    response.setHeader("content-type", "application/json");
    if (response.req.headers.authorization !== "Bearer key") {
      response.statusCode = 401;
      response.end(
        JSON.stringify({ error: { code: "unauthorized", message: "no token", hint: "Send it." } }),
      );
    } else if (query.get("workspace") === "bank") {
      response.statusCode = 404;
      response.end(JSON.stringify({ error: { code: "no_such_workspace", message: "no bank here" } }));
    } else if (path === "/code/shop/README.md") {
      response.statusCode = 400;
      const error = { code: "workspace_needed", message: "none is named", hint: "Send workspace." };
      response.end(JSON.stringify({ error }));
    } else
      response.end(
        JSON.stringify(
          answers[path] ?? {
            ...{ path, indexed: path === "sub/b.ts", detail: "lies outside" },
            ...(path !== "sub" && { skipped: "outside" }),
          },
        ),
      );
  });
});
afterAll(() => fake[Symbol.asyncDispose]());

async function run(args: readonly string[], { cwd = "/code/shop", env = {} } = {}) {
  asked = [];
  const out: string[] = [];
  const err: string[] = [];
  const exit = await dhi(args, {
    ...{ cwd, env: { DHI_URL: fake.url, DHI_TOKEN: "key", ...env } },
    print: (text) => void out.push(text),
    complain: (text) => void err.push(text),
  });
  return { exit, out: out.join("\n"), err: err.join("\n") };
}

test("explains a path that is relative to where it is run, and exits by the answer", async () => {
  expect(await run(["explain", "a.ts"])).toEqual({
    exit: 0,
    out: "a.ts: indexed\n  in the index",
    err: "",
  });
  expect(await run(["explain", "../shop/x.log"])).toEqual({
    exit: 1,
    out: "x.log: not indexed (ignored)\n  ignored by .gitignore:3: *.log\n  Change that rule.",
    err: "",
  });
});

test("prints the server's answer as JSON", async () => {
  const { out } = await run(["explain", "--json", "a.ts"]);
  expect(JSON.parse(out)).toEqual(answers["/code/shop/a.ts"]);
});

test("asks by the path in the repository when the server has it at another place", async () => {
  using repo = tempRepo({ "sub/b.ts": "" });
  const cwd = join(repo.dir, "sub");
  served = join(repo.dir, "in-a-container");
  expect((await run(["explain", "b.ts"], { cwd })).exit).toBe(0);
  expect(asked).toEqual([join(cwd, "b.ts"), "sub/b.ts"]);
  using folder = tempDir();
  mkdirSync(join(folder.dir, "sub"));
  expect((await run(["explain", "b.ts"], { cwd: join(folder.dir, "sub") })).exit).toBe(1);
});

test("a file of another folder is not taken for one of the same name in the workspace", async () => {
  using repo = tempRepo({ "sub/b.ts": "" });
  using shop = tempDir();
  served = shop.dir;
  const { exit, out } = await run(["explain", "sub/b.ts"], { cwd: repo.dir });
  expect({ exit, out }).toEqual({ exit: 1, out: expect.stringMatching(/not indexed \(outside\)/) });
  expect(asked).toEqual([join(repo.dir, "sub/b.ts")]);
});

describe("doctor", () => {
  const folderOf = async (cwd: string) => {
    const { out } = await run(["doctor", "--json"], { cwd });
    const { status, checks } = JSON.parse(out);
    return { status, folder: checks.at(-1) };
  };

  test("tells which folder of the workspace this one is, also where the server has it at another place", async () => {
    using repo = tempRepo({ "sub/b.ts": "" });
    served = join(repo.dir, "in-a-container");
    const cwd = join(repo.dir, "sub");
    expect(await folderOf(cwd)).toEqual({
      status: "ok",
      folder: { id: "paths", title: "This folder", status: "ok", detail: `${cwd} is sub of the workspace` },
    });
  });

  test("warns of a folder that is not served", async () => {
    using other = tempDir();
    expect(await folderOf(other.dir)).toEqual({
      status: "warn",
      folder: expect.objectContaining({
        ...{
          status: "warn",
          detail: `${other.dir} is not served`,
          fix: expect.stringMatching(/--workspace DIR/),
        },
      }),
    });
  });
});

test("with DHI_URL empty the server is asked at its default address", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("stubbed")));
  try {
    const { err } = await run(["explain", "a.ts"], { env: { DHI_URL: "" } });
    expect(err).toMatch("no answer from http://127.0.0.1:8000 (stubbed)");
  } finally {
    vi.unstubAllGlobals();
  }
});

test.each([
  [[], /no command\n\ndhi start/],
  [["guess"], /no command "guess"\n\ndhi start/],
  [["help", "guess"], /no command "guess"\n\ndhi start/],
  [["explain"], /dhi explain takes PATH, not nothing\n\ndhi explain PATH/],
  [["explain", "a", "b"], /dhi explain takes PATH, not 2/],
  [["explain", "--colour", "a"], /Unknown option '--colour'\n/],
  [["explain", "a.ts", "--server", "localhost"], /"localhost" is no URL of a server/],
  [["explain", "a.ts", "--workspace", "bank"], /no bank here/],
  [["explain", "README.md"], /none is named\nAdd --workspace NAME, or give the absolute path\.$/],
  [["doctor", "now"], /dhi doctor takes no parameters, not 1/],
  [["search", "a", "-n", "0"], /--limit wants a number from 1 to 100, not "0"/],
  [["stats", "--json", "--csv"], /take one of them/],
  [["complete", "a.ts"], /"a\.ts" is no FILE:LINE:COL/],
  [["complete", "/none/a.ts:1:1"], /\/none\/a\.ts cannot be read \(ENOENT\)/],
])("exits with 2 and says what is wrong: %s", async (args, words) => {
  expect(await run(args)).toEqual({ exit: 2, out: "", err: expect.stringMatching(words) });
});

test("exits with 3 and says what to do when the server is away, wants a token, or is none of Dhi's", async () => {
  const away = await run(["explain", "a.ts", "--server", "http://127.0.0.1:9"]);
  expect(away).toMatchObject({
    exit: 3,
    err: expect.stringMatching(/no answer from .*\nStart it with `npm start`/),
  });
  expect(await run(["explain", "a.ts"], { env: { DHI_TOKEN: "" } })).toMatchObject({
    ...{ exit: 3, err: "dhi: no token\nSet DHI_TOKEN to the one that the server was started with." },
  });
  await using other = await startFakeServer((_request, response) => void response.end("<html>"));
  for (const args of [
    ["explain", "a.ts"],
    ["stats", "--csv"],
  ])
    expect(await run([...args, "--server", other.url])).toMatchObject({
      ...{ exit: 3, out: "", err: expect.stringMatching(/answers, but not as Dhi's server would/) },
    });
  await using broken = await startFakeServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/csv" }).write("at,");
    setImmediate(() => response.destroy());
  });
  for (const args of [
    ["explain", "a.ts"],
    ["stats", "--csv"],
  ])
    expect(await run([...args, "--server", broken.url])).toMatchObject({
      ...{ exit: 3, out: "", err: expect.stringMatching(/^dhi: no answer from http/) },
    });
});

test("prints its help, and that of each command with what its end means", async () => {
  const { exit, out } = await run(["--help"]);
  expect(exit).toBe(0);
  for (const { name, exits, passesOn } of commands) {
    expect(out).toContain(`dhi ${name}`);
    const own = await run(["help", name]);
    expect(own).toMatchObject({ exit: 0, out: expect.stringContaining(`Exit codes: ${exits}, 2 wrong`) });
    // What it is passed on to has a help of its own.
    if (name !== "start") expect(await run([name, "--help"])).toEqual(own);
    expect(own.out.includes("3 no answer from the server")).toBe(!passesOn);
  }
  expect((await run(["search", "-h"])).out).toMatch(/-n, --limit LIMIT +how many results/);
});
