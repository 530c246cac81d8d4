import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openIndexForWriting } from "@dhi/core/index-db";
import { tempDir } from "@dhi/core/testing/temp-repo";
import { expect, test } from "vitest";
import { createIndexHandle } from "./index-handle.ts";

test("an index that cannot be looked at is none, until it can", async () => {
  using home = tempDir();
  const dir = join(home.dir, "index");
  openIndexForWriting(dir).close();
  renameSync(dir, `${dir}-away`);
  // As root sees a folder that is closed to others: a link that leads to itself.
  symlinkSync("index", dir);
  const handle = createIndexHandle(dir);
  expect(handle.get()).toBeUndefined();
  rmSync(dir);
  renameSync(`${dir}-away`, dir);
  await expect.poll(() => handle.get(), { timeout: 5_000 }).toBeDefined();
  handle.close();
});
