import type { RecordCopy } from "../../../src/path/changes/record-copy.js";
import type { RecordKey } from "../../../src/path/changes/copied-records.js";

/**
 * Copies one workspace's records by key, so that `held` becomes equal to `stored`. `pages` lists the keys of each
 * copied page.
 */
export function recordCopies(stored: Map<string, string>, held: Map<string, string>) {
  const pages: string[][] = [];
  const list = (of: Map<string, string>) => (after: RecordKey | null, limit: number) =>
    [...of.keys()]
      .toSorted()
      .filter((key) => after === null || key > after.key)
      .slice(0, limit)
      .map((key): RecordKey => ({ workspaceId: "ws_1", key }));
  const kind: RecordCopy = {
    async copy(records) {
      pages.push(records.map(({ key }) => key));
      let differing = 0;
      for (const { key } of records) {
        const value = stored.get(key);
        if (held.get(key) === value) continue;
        differing++;
        if (value === undefined) held.delete(key);
        else held.set(key, value);
      }
      return differing;
    },
    stored: async (after, limit) => list(stored)(after, limit),
    held: list(held),
  };
  return { kind, pages };
}
