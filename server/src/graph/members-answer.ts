/** `GET /v1/members`. */
import type { MembersRequest, MembersResponse } from "@dhi/core/graph-protocol";
import type { Workspaces } from "../workspaces.ts";
import { membersAt, signatureOf } from "./members.ts";

/**
 * @returns nothing known while there is no index
 * @throws {HttpError} for a workspace that is not served, a path outside it, or one of several workspaces
 */
export function membersAnswer(
  asked: MembersRequest,
  workspaces: Pick<Workspaces, "fileOf">,
): MembersResponse {
  const { workspace, path } = workspaces.fileOf(asked);
  const db = workspace.index.get();
  if (!db) return { type: null, signature: null, from: "nothing", members: [] };
  const { expression, line } = asked;
  const { type, from, members } = membersAt(db, { path, expression, line });
  const signature = signatureOf(db, { path, name: expression.trim() }) ?? null;
  return { type, signature, from, members: [...members] };
}
