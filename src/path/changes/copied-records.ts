import type { Policy } from "../../domain/policy/policy.js";
import { idToHex } from "../../domain/ids/ids.js";

/** Names a record that nodes copy, by its workspace and its key within the workspace. */
export interface RecordKey {
  /** `ws_…` */
  workspaceId: string;
  key: string;
}

export interface OwnedPolicy {
  workspaceId: string;
  merchantId: string;
  policy: Policy;
}

/**
 * The values after which a page begins, for the columns workspace and key. The nil workspace sorts before all others.
 */
export function columnsAfter(after: RecordKey | null): [workspaceId: string, key: string] {
  return after === null
    ? ["00000000-0000-0000-0000-000000000000", ""]
    : [idToHex(after.workspaceId), after.key];
}

export function asColumns(records: readonly RecordKey[]): [workspaceIds: string[], keys: string[]] {
  return [records.map(({ workspaceId }) => idToHex(workspaceId)), records.map(({ key }) => key)];
}
