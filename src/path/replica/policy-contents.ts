import { createHash } from "node:crypto";
import { policyContentKey, policyUsesKey, type Replica, type ReplicaText } from "./replica.js";

/** With 128 bits, it takes about 2^64 tries to find two contents with the same name. */
const NAME_BYTES = 16;

/** The name of a content, derived from its text. */
export function contentNameOf(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, NAME_BYTES).toString("base64url");
}

/** The contents that merchants share. Each is stored one time, as long as any merchant uses it. */
export interface PolicyContents {
  /** Counts one more merchant with this content. */
  use(name: string, text: string): void;
  /** Counts one merchant fewer with this content. */
  drop(name: string): void;
  /** The texts to write in one transaction with the merchants' own entries. */
  texts(): ReplicaText[];
}

/** Counts the uses of contents that a transaction changes, starting from the counts in the replica. */
export function countContents(replica: Pick<Replica, "read">): PolicyContents {
  const changed = new Map<string, { uses: number; text: string | null }>();
  const of = (name: string): { uses: number; text: string | null } => {
    let content = changed.get(name);
    if (content === undefined) {
      content = { uses: Number(replica.read(policyUsesKey(name)) ?? 0), text: null };
      changed.set(name, content);
    }
    return content;
  };
  return {
    use(name, text) {
      const content = of(name);
      content.uses++;
      content.text = text;
    },
    drop(name) {
      of(name).uses--;
    },
    texts: () =>
      Array.from(changed, ([name, { uses, text }]): ReplicaText[] => [
        { key: policyUsesKey(name), text: uses > 0 ? String(uses) : null },
        // A content that is already stored is not written again.
        ...(uses <= 0
          ? [{ key: policyContentKey(name), text: null }]
          : text === null
            ? []
            : [{ key: policyContentKey(name), text }]),
      ]).flat(),
  };
}
