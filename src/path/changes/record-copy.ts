import type { RecordKey } from "./copied-records.js";

/** A kind of PostgreSQL's records that this node copies. */
export interface RecordCopy {
  /**
   * Updates this node's copies of `records`, and removes the copies of deleted records. Resolves to the number of
   * copies that changed. Rejects while PostgreSQL is away.
   */
  copy(records: readonly RecordKey[]): Promise<number>;
  /** Lists PostgreSQL's next records after a key, in PostgreSQL's order. */
  stored(after: RecordKey | null, limit: number): Promise<RecordKey[]>;
  /** Lists this node's next copies after a key, in the order of the keys. */
  held(after: RecordKey | null, limit: number): RecordKey[];
}

/** Lists the copies of a kind. The replica's key of a copy is the kind's prefix followed by `<workspace_id>/<key>`. */
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

/** Lists each workspace of the records one time. */
export function workspacesOf(records: readonly RecordKey[]): string[] {
  return [...new Set(records.map(({ workspaceId }) => workspaceId))];
}
