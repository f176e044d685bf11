import type { RecordKey } from "./copied-records.js";

/** A kind of PostgreSQL's records that this node copies. */
export interface RecordCopy {
  /**
   * Updates this node's copies of these records, and removes the copy of a deleted record. Resolves to the number of
   * copies that changed. Rejects while PostgreSQL is away.
   */
  copy(records: readonly RecordKey[]): Promise<number>;
  /** PostgreSQL's next records after one, in PostgreSQL's order. */
  stored(after: RecordKey | null, limit: number): Promise<RecordKey[]>;
  /** Lists this node's next copies after a key, in the order of the keys. */
  held(after: RecordKey | null, limit: number): RecordKey[];
}

/** Lists the copies of a kind. A copy's key is the kind's prefix and `<workspace_id>/<key>`. */
export function heldUnder(
  replica: { refresh(): unknown; keysAfter(prefix: string, after?: string, limit?: number): string[] },
  prefix: string,
  after: RecordKey | null,
  limit: number,
): RecordKey[] {
  replica.refresh();
  const afterName = after === null ? "" : nameOf(after);
  return replica.keysAfter(prefix, afterName, limit).map((name) => {
    const at = name.indexOf("/");
    return at === -1
      ? { workspaceId: name, key: "" }
      : { workspaceId: name.slice(0, at), key: name.slice(at + 1) };
  });
}

function nameOf({ workspaceId, key }: RecordKey): string {
  return key === "" ? workspaceId : `${workspaceId}/${key}`;
}

/** Lists each workspace once. */
export function workspacesOf(records: readonly RecordKey[]): string[] {
  return [...new Set(records.map(({ workspaceId }) => workspaceId))];
}
