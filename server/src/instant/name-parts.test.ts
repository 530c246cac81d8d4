import { expect, test } from "vitest";
import { withOurPart } from "./name-parts.ts";

test.each([
  ["UserList", "user", "order", "OrderList"],
  ["create_user", "user", "order", "create_order"],
  ["users", "user", "order", "orders"],
  ["MAX_USERS", "User", "Order", "MAX_ORDERS"],
  ["deleteUser", "createUser", "createOrder", "deleteOrder"],
  ["FirstNode", "LastNode", "LastLeaf", "FirstLeaf"],
  ["lastIndex", "first", "last", undefined],
  ["abuser", "user", "order", undefined],
  ["listing", "user", "order", undefined],
  ["xs", "x", "y", undefined],
  ["userList", "user", "user", undefined],
])("%s, where %s is %s, is %s", (name, theirs, ours, expected) => {
  expect(withOurPart(name, theirs, ours)).toBe(expected);
});
