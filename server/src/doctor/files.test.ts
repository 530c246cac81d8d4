import { expect, test } from "vitest";
import { roomToWatch } from "./files.ts";

test("more folders than Linux lets anybody watch are a failure, and few left for others a warning", () => {
  expect(roomToWatch(10, 8_192).status).toBe("ok");
  expect(roomToWatch(4_096, 8_192).status).toBe("ok");
  expect(roomToWatch(4_097, 8_192)).toEqual({
    status: "warn",
    detail: "4097 folders to watch, 8192 may be (fs.inotify.max_user_watches)",
    fix: "sudo sysctl fs.inotify.max_user_watches=524288, or WATCH_POLLING=true",
  });
  expect(roomToWatch(8_193, 8_192)).toMatchObject({
    status: "fail",
    detail: expect.stringMatching(/: changes are found late$/),
    fix: expect.stringContaining("WATCH_POLLING=true"),
  });
});
