import { createHash } from "node:crypto";
import { policyContentKey, policyUsesKey, type Replica, type ReplicaText } from "./replica.js";

/** With 128 bits, finding two contents with the same name would take 2^64 tries. */
const NAME_BYTES = 16;

/** The name of a content, derived from its text. */
export function contentNameOf(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, NAME_BYTES).toString("base64url");
}

/** The contents that merchants share. Each is stored once, until no merchant uses it any more. */
export interface PolicyContents {
  /** Counts one more merchant with this content. */
  use(name: string, text: string): void;
  /** Counts one merchant fewer with this content. */
  drop(name: string): void;
  /** The texts to be written in one transaction with the merchants' own entries. */
  texts(): ReplicaText[];
}

/** Counts the changes of a transaction, compared with the replica's entries. */
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
        // A content that is stored already is not written again.
        ...(uses <= 0
          ? [{ key: policyContentKey(name), text: null }]
          : text === null
            ? []
            : [{ key: policyContentKey(name), text }]),
      ]).flat(),
  };
}
