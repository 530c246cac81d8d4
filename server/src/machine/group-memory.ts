/** The memory that a control group (cgroup v2) lets its processes have: of a container, a systemd slice, a batch job. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where the system tells it. */
export interface GroupFiles {
  readonly ownGroup: string;
  readonly root: string;
}

const LINUX: GroupFiles = { ownGroup: "/proc/self/cgroup", root: "/sys/fs/cgroup" };

/** Bytes. */
export interface GroupMemory {
  readonly total: number;
  /** Without what the group's file cache would give back. */
  readonly available: number;
}

/** @returns of the groups around this process the one with the least left; `undefined` when none of them has a limit */
export async function groupMemory({ ownGroup, root }: GroupFiles = LINUX): Promise<GroupMemory | undefined> {
  const groups = await readFile(ownGroup, "utf8").catch(() => "");
  const own = /^0::(\/.*)$/m.exec(groups)?.[1];
  if (own === undefined) return undefined;
  const found = await Promise.all(upwards(own).map((group) => limitOf(join(root, group))));
  return found
    .filter((one) => one !== undefined)
    .reduce<GroupMemory | undefined>(
      (least, one) => (least === undefined || one.available < least.available ? one : least),
      undefined,
    );
}

/** A group has no more than the one it is in. */
function upwards(group: string): string[] {
  const above = dirname(group);
  return above === group ? [group] : [group, ...upwards(above)];
}

/** @returns `undefined` for a folder that tells none, and for the limit "max" */
async function limitOf(folder: string): Promise<GroupMemory | undefined> {
  const read = (file: string) => readFile(join(folder, file), "utf8").catch(() => "");
  const [max, current, stat] = await Promise.all(["memory.max", "memory.current", "memory.stat"].map(read));
  const total = Number.parseInt(max ?? "", 10);
  if (Number.isNaN(total)) return undefined;
  const taken = Number.parseInt(current ?? "", 10) || 0;
  const cache = Number(/^inactive_file (\d+)$/m.exec(stat ?? "")?.[1] ?? 0);
  return { total, available: Math.max(0, total - Math.max(0, taken - cache)) };
}
