import type { RecordKey } from "./copied-records.js";

/** One kind of records of PostgreSQL that this node keeps copies of. */
export interface RecordCopy {
  /**
   * Makes this node's copies of these records say what PostgreSQL says now; one that is gone is removed. Resolves to how
   * many said something else before. Rejects while PostgreSQL is away.
   */
  copy(records: readonly RecordKey[]): Promise<number>;
  /** The next records behind one, in PostgreSQL's own order. */
  stored(after: RecordKey | null, limit: number): Promise<RecordKey[]>;
  /** The next records behind one that this node holds, in the order of its copies. */
  held(after: RecordKey | null, limit: number): RecordKey[];
}

/** The key of a copy, behind the prefix of its kind: `<workspace_id>/<key>`. */
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

/** Each workspace once. */
export function workspacesOf(records: readonly RecordKey[]): string[] {
  return [...new Set(records.map(({ workspaceId }) => workspaceId))];
}
