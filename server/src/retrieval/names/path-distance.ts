/** Steps up and down between two folders, of which `""` and `.` are the root: 0 for the same one. */
export function pathDistance(a: string, b: string): number {
  const from = a === "." || a === "" ? [] : a.split("/");
  const to = b === "." || b === "" ? [] : b.split("/");
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  return from.length + to.length - 2 * shared;
}
