/** `invoice.total(…)`: by what the receiver is. */
import { isGoReceiver, ownMembers } from "./class-members.ts";
import { holderOf, membersOf } from "./holder.ts";
import { type Scope, SEPARATOR, type Target } from "./scope.ts";
import { variableMember } from "./variable.ts";

export function member(scope: Scope, receiver: string): Target[] {
  const { family } = scope;
  const made = /^(?:new )?([\w$.:]+)\(/.exec(receiver)?.[1];
  if (made !== undefined && made !== "super" && endsItsCall(receiver)) return ofInstance(scope, made);
  const parts = receiver.split(SEPARATOR);
  const [first = ""] = parts;
  if (/^(this|self|cls|super|Self)(\(\))?$/.test(first)) {
    const own = parts.length === 1 ? ownMembers(scope, first) : [];
    // Rust's `self::total()` names the module.
    if (own.length || family !== "rust")
      return own.length || parts.length === 1 ? own : variableMember(scope);
  } else if (isGoReceiver(scope, receiver)) return ownMembers(scope);

  const holder = holderOf(scope, parts);
  if (holder === "outside") return [];
  if (holder) {
    const found = membersOf(scope, holder);
    if (found) return found;
  }
  return variableMember(scope);
}

/** `Invoice(1)` does, `Invoice(1).copy()` is what a method returns. */
const endsItsCall = (receiver: string) => receiver.endsWith(")") && !receiver.slice(0, -1).includes(")");

/** `new Invoice(1)`, `Invoice(1)`: an instance when that is a class. What functions return is not known. */
function ofInstance(scope: Scope, callee: string): Target[] {
  const holder = holderOf(scope, callee.split(SEPARATOR));
  if (holder === "outside") return [];
  const owners = (holder?.definitions ?? []).filter(({ kind }) => kind === "class");
  return (
    (owners.length > 0 && membersOf(scope, { definitions: owners, isLocal: holder?.isLocal ?? false })) ||
    variableMember(scope)
  );
}
