import {
  createDecisionIds,
  DECISION_ID_KEY_BYTES,
  type DecisionIds,
} from "../../../domain/ids/decision-id.js";

/**
 * The inputs of decision ids: a key that all nodes of one database share, and a number that belongs to this node alone.
 */
export interface DecisionIdentity {
  node: number;
  /** DECISION_ID_KEY_BYTES bytes. */
  key: Uint8Array;
}

/*
 * The memory by which the front thread passes the identity to the decide workers, because a node may learn its number
 * after its workers have started. Layout: version u32 (0 while the identity is unknown) · node u32 · the key.
 */
const VERSION = 0;
const NODE = 1;
const KEY_AT = 2 * Uint32Array.BYTES_PER_ELEMENT;

export interface SharedIdentity {
  readonly memory: SharedArrayBuffer;
  /** Sets the identity for all threads. Workers use it from their next batch on. */
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

/**
 * Returns a function that reads the identity last given to `set`. It returns null before the first `set`, and the same
 * object until the identity changes.
 */
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
