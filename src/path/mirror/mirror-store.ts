import { cacheScript, type CacheClient } from "../../platform/cache/cache-client.js";
import { MIRROR } from "../../domain/vocabulary/tuning/mirror.js";
import type { JournalEntry } from "../journal/journal.js";
import { unpackBatches, type MirrorEntry } from "./packed-batches.js";

/**
 * The number is that of the form of entries (packed-batches.ts). A node cannot read the entries of another form, so it
 * must not see their streams. It would take over nothing, and delete them.
 */
const MIRROR_KEYS = "mirror2";

/** The set of all nodes that have a stream. */
export const MIRRORED_NODES = `pi:${MIRROR_KEYS}:nodes`;

/** The names of one node's keys. The braces make a cluster place all keys of a node together. */
export const mirrorKeys = (
  nodeId: string,
): Readonly<Record<"stream" | "end" | "alive" | "claim", string>> => ({
  stream: `pi:{${MIRROR_KEYS}:${nodeId}}:stream`,
  /** The sequence of the newest record that the stream has had. */
  end: `pi:{${MIRROR_KEYS}:${nodeId}}:end`,
  /** This key exists as long as the node renews its lease. */
  alive: `pi:{${MIRROR_KEYS}:${nodeId}}:alive`,
  /** The value is the id of the node that is taking over the stream. */
  claim: `pi:{${MIRROR_KEYS}:${nodeId}}:claim`,
});

/** A stream may have more than fits into memory, or than the cache can send in time. */
const AT_ONCE = ["count", String(MIRROR.entriesReadMax)] as const;

/** The only field of an entry: its batches (packed-batches.ts). */
const FIELD = "lz4";

/**
 * Appends one entry, if the stream ends with the record that the node expects. An entry's id is the sequence of its
 * last record. If the stream ends elsewhere or is gone, nothing is appended and the answer is not `ok`. So no entry is
 * appended twice, and none is left out. This holds as well if the node sends an entry before it has the answer about
 * the entry before.
 *
 * The script makes no call that it can do without. The node renews its lease at intervals, and NOMKSTREAM says whether
 * an expected stream exists.
 */
const APPEND = cacheScript(`
local id = ARGV[2] .. '-0'
local isAppended
if ARGV[1] == '' then
  isAppended = redis.call('EXISTS', KEYS[1]) == 0 and redis.call('XADD', KEYS[1], id, ARGV[3], ARGV[4])
else
  isAppended = redis.call('GET', KEYS[2]) == ARGV[1]
    and redis.call('XADD', KEYS[1], 'NOMKSTREAM', id, ARGV[3], ARGV[4])
end
if not isAppended then return 'elsewhere' end
redis.call('SET', KEYS[2], ARGV[2])
return 'ok'`);

/** Returns whether the stream exists, and the sequence of the newest record that it has had. */
const JOIN = cacheScript(`
local exists = redis.call('EXISTS', KEYS[1])
local last = redis.call('GET', KEYS[2]) or ''
if exists == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = string.match(info[i + 1], '^%d+') end
  end
  redis.call('SET', KEYS[2], last)
elseif last ~= '' then
  redis.call('PERSIST', KEYS[2])
end
redis.call('SET', KEYS[3], '1', 'PX', ARGV[1])
return {exists, last}`);

export const MIRROR_SCRIPTS = [APPEND, JOIN] as const;

export interface StreamEnd {
  /**
   * False if Valkey does not have the stream. The node is new, another node has taken the stream over and deleted it,
   * or Valkey has lost its memory.
   */
  exists: boolean;
  /** The sequence of the newest record that the stream has had. 0 if it is unknown. */
  sequence: number;
}

/** `elsewhere`: the stream does not end where expected. `failed`: the cache did not answer, or replicas are missing. */
export type Appended = "ok" | "elsewhere" | "failed";

/** One node's own stream, as the node itself uses it. */
export interface MirrorStore {
  isUp(): boolean;
  /** Finds the end of the stream. Null while the cache is away. */
  join(): Promise<StreamEnd | null>;
  /**
   * Appends an entry. `after` is the expected end of the stream, or null if there is no stream. `ok` means that the
   * replicas have the entry too.
   */
  append(after: number | null, entry: MirrorEntry): Promise<Appended>;
  /** Renews the node's lease, and finds the end of the stream. Null while the cache is away. */
  renew(): Promise<StreamEnd | null>;
  /** Drops the records up to `position`, which PostgreSQL has stored. */
  trim(position: number): Promise<void>;
  /** Returns the first of the node's own batches after `sequence`, or none. Null while the cache is away. */
  after(sequence: number): Promise<JournalEntry[] | null>;
}

export interface MirrorStoreOptions {
  cache: Pick<CacheClient, "isUp" | "send">;
  nodeId: string;
  /** JOURNAL_MIRROR_REPLICAS: how many replicas must have an entry before it counts as appended. */
  replicas: number;
}

export function createMirrorStore({ cache, nodeId, replicas }: MirrorStoreOptions): MirrorStore {
  const { stream, end, alive } = mirrorKeys(nodeId);
  const wait = replicas === 0 ? [] : [["wait", String(replicas), String(MIRROR.replicasMsMax)]];
  const lease = String(MIRROR.leaseMs);
  const haveIt = (replies: readonly unknown[]): boolean =>
    replicas === 0 || Number(replies.at(-1)) >= replicas;

  return {
    isUp: cache.isUp,

    async join() {
      const replies = await cache.send("mirror", [
        ["sadd", MIRRORED_NODES, nodeId],
        ["evalsha", JOIN.sha1, "3", stream, end, alive, lease],
        // Replicas that have confirmed this command have everything that was sent before it.
        ...wait,
      ]);
      if (replies === null || !haveIt(replies)) return null;
      const [exists, last] = replies[1] as [number, string];
      return { exists: exists === 1, sequence: Number(last) };
    },

    async append(after, { through, packed }) {
      const command = [APPEND.sha1, "2", stream, end, String(after ?? ""), String(through), FIELD, packed];
      const replies = await cache.send("mirror", [["evalsha", ...command], ...wait]);
      if (replies === null) return "failed";
      if (replies[0] !== "ok") return "elsewhere";
      return haveIt(replies) ? "ok" : "failed";
    },

    async renew() {
      const replies = await cache.send("mirror", [
        ["sadd", MIRRORED_NODES, nodeId],
        ["set", alive, "1", "px", lease],
        ["exists", stream],
        ["get", end],
      ]);
      return replies === null ? null : { exists: replies[2] === 1, sequence: Number(replies[3] ?? 0) };
    },

    async trim(position) {
      await cache.send("mirror", [["xtrim", stream, "minid", `${position + 1}-0`]]);
    },

    async after(sequence) {
      const replies = await cache.send("mirror", [
        ["xrangeBuffer", stream, `${sequence + 1}-0`, "+", ...AT_ONCE],
      ]);
      return replies === null ? null : toBatches(replies[0], sequence);
    },
  };
}

/**
 * Returns the batches in a reply of XRANGE that end after `sequence`, in order. A batch that occurs twice is returned
 * one time. Throws if an entry cannot be read.
 */
export function toBatches(reply: unknown, sequence: number): JournalEntry[] {
  const batches = new Map<number, JournalEntry>();
  for (const [id, [field, packed]] of reply as [Buffer, [Buffer, Buffer]][]) {
    if (field.toString() !== FIELD)
      throw new TypeError(`the mirror's entry ${id.toString()} has another format`);
    for (const one of unpackBatches(packed)) if (one.sequence > sequence) batches.set(one.sequence, one);
  }
  return [...batches.values()].toSorted((a, b) => a.sequence - b.sequence);
}
