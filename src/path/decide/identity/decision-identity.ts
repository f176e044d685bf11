import {
  createDecisionIds,
  DECISION_ID_KEY_BYTES,
  type DecisionIds,
} from "../../../domain/ids/decision-id.js";

/** What decision ids are made from: the same key on every node of one database, and a number that is the node's alone. */
export interface DecisionIdentity {
  node: number;
  /** DECISION_ID_KEY_BYTES. */
  key: Uint8Array;
}

/*
 * Memory that the front and the decide workers share, since a node may learn its number after its workers have started:
 * version u32, 0 before anything is known · node u32 · the key.
 */
const VERSION = 0;
const NODE = 1;
const KEY_AT = 2 * Uint32Array.BYTES_PER_ELEMENT;

export interface SharedIdentity {
  readonly memory: SharedArrayBuffer;
  /** For all threads, from their next batch on. */
  set(identity: DecisionIdentity): void;
}

export function createSharedIdentity(): SharedIdentity {
  const memory = new SharedArrayBuffer(KEY_AT + DECISION_ID_KEY_BYTES);
  const words = new Int32Array(memory, 0, 2);
  return {
    memory,
    set({ node, key }) {
      new Uint8Array(memory).set(key, KEY_AT);
      words[NODE] = node;
      Atomics.add(words, VERSION, 1);
    },
  };
}

/** Reads what `set` wrote last: null until it is called for the first time. The same object while nothing changes. */
export function createIdentityReader(memory: SharedArrayBuffer): () => DecisionIds | null {
  const words = new Int32Array(memory, 0, 2);
  let version = 0;
  let ids: DecisionIds | null = null;
  return () => {
    const now = Atomics.load(words, VERSION);
    if (now !== version) {
      version = now;
      const key = Uint8Array.from(new Uint8Array(memory, KEY_AT, DECISION_ID_KEY_BYTES));
      ids = createDecisionIds(key, words[NODE] as number);
    }
    return ids;
  };
}
