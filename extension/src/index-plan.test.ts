import { expect, test } from "vitest";
import { type IndexPlan, planIndex } from "./index-plan.ts";
import type { ServedWorkspace, WorkspaceFolder } from "./locate-file.ts";

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const folder = (path: string, realPath = path): WorkspaceFolder => ({ name: nameOf(path), path, realPath });
const here = (path: string): ServedWorkspace => ({ name: nameOf(path), path, isHere: true });
const elsewhere = (path: string): ServedWorkspace => ({ ...here(path), isHere: false });
const everything = { targets: [{ folder: "." }], notServed: [] };

test.each<[string, WorkspaceFolder[], ServedWorkspace[] | undefined, IndexPlan]>([
  ["a server that was not asked yet", [folder("/code/shop")], undefined, everything],
  ["no open folder and one workspace", [], [here("/code/shop")], everything],
  ["the folder that is served", [folder("/code/shop")], [here("/code/shop")], everything],
  ["a server in a container", [folder("/code/shop")], [elsewhere("/workspace")], everything],
  [
    "a link to the folder that is served",
    [folder("/home/me/shop", "/code/shop")],
    [here("/code/shop")],
    everything,
  ],
  [
    "a folder inside a workspace",
    [folder("/code/shop/web")],
    [here("/code/shop")],
    { targets: [{ folder: "web" }], notServed: [] },
  ],
  [
    "several of several, and one that is not served",
    [folder("/code/docs"), folder("/code/notes"), folder("/code/shop")],
    [here("/code/shop"), here("/code/docs"), here("/code/bank")],
    {
      targets: [
        { workspace: "docs", folder: "." },
        { workspace: "shop", folder: "." },
      ],
      notServed: ["notes"],
    },
  ],
  [
    "a folder that holds several workspaces, and one of them, once each",
    [folder("/code"), folder("/code/shop")],
    [here("/code/shop"), here("/code/docs")],
    {
      targets: [
        { workspace: "shop", folder: "." },
        { workspace: "docs", folder: "." },
      ],
      notServed: [],
    },
  ],
  [
    "several in a container, by name",
    [folder("/code/docs"), folder("/code/notes")],
    [elsewhere("/w/shop"), elsewhere("/w/docs")],
    { targets: [{ workspace: "docs", folder: "." }], notServed: ["notes"] },
  ],
  [
    "a second folder beside the one of a container",
    [folder("/code/shop"), folder("/code/notes")],
    [elsewhere("/workspace")],
    { targets: [{ folder: "." }], notServed: ["notes"] },
  ],
  [
    "nothing that is served",
    [folder("/code/notes")],
    [here("/code/shop")],
    { targets: [], notServed: ["notes"] },
  ],
])("%s", (_, folders, served, plan) => {
  expect(planIndex(folders, served)).toEqual(plan);
});
