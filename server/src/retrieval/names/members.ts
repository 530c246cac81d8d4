/** Names that belong to what stands before the dot. */
import { enclosing, isOwner } from "../../graph/enclosing.ts";
import { definedMembers } from "../../graph/guess-members.ts";
import { receiverMembers } from "../../graph/receiver-members.ts";
import { familyOf } from "../../graph/resolve/languages.ts";
import { type Located, qualified } from "../../graph/tree.ts";
import type { Clues } from "./clues.ts";
import type { Cursor } from "./cursor.ts";

/** How sure it is that `tableLayout` is a `TableLayout`, where nothing else says what it is. */
const BY_ITS_NAME = 0.7;

/** Nothing without a dot left of the cursor. */
export function addMembers(clues: Clues, cursor: Cursor): void {
  const { db, path, line, receiver, before } = cursor;
  if (receiver === null) return;
  const { callable } = enclosing(db, path, line, before);
  const place = { path, receiver, line, enclosing: callable ? qualified(callable) : null };
  const known = receiverMembers(db, place);
  for (const member of known.length ? known : membersByName(cursor, receiver)) {
    const { definitions, signals } = clues.of(member.name);
    definitions.push(member);
    signals.ofReceiver = Math.max(signals.ofReceiver, known.length ? 1 : BY_ITS_NAME);
    if (member.container === null) signals.ofModule = 1;
  }
}

/** Of the only type that is called as the receiver is, with a capital. */
function membersByName({ tree, family }: Cursor, receiver: string): Located[] {
  const word = /[\p{L}\p{N}_]+$/u.exec(receiver)?.[0].replace(/^_+/, "") ?? "";
  const name = word.replaceAll(/(?:^|_)(\p{L})/gu, (_, letter: string) => letter.toUpperCase());
  const types = tree.named(name).filter((one) => isOwner(one) && familyOf(one.path) === family);
  const [type] = types;
  return type && types.length === 1 ? definedMembers(tree, type) : [];
}
