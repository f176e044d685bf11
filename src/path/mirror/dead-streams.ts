import type { Redis } from "ioredis";
import { MIRROR } from "../../domain/vocabulary/tuning/mirror.js";
import { openConnection, type CacheServer } from "../../platform/cache/cache-client.js";
import { within } from "../../platform/timing/within.js";
import type { JournalEntry } from "../journal/journal.js";
import { MIRRORED_NODES, mirrorKeys, toBatches } from "./mirror-store.js";

export interface DeadStreamRead {
  /** The first batches after the requested sequence. */
  batches: JournalEntry[];
  /** The sequence of the newest record that the stream has had. 0 if there is no stream. */
  end: number;
}

/** The streams of nodes that no longer renew their lease. Every call rejects while the cache is away or slow. */
export interface DeadStreams {
  /** Lists the other nodes that have a stream and no lease. */
  list(): Promise<string[]>;
  /** Claims a node's stream and reads a part of it. Null if another node has the claim. */
  read(nodeId: string, after: number): Promise<DeadStreamRead | null>;
  /** Deletes the stream, unless its node has a lease again or the stream has records after `position`. */
  forget(nodeId: string, position: number): Promise<void>;
  /** Releases the claim, so that other nodes can take over the stream at once. */
  release(nodeId: string): Promise<void>;
  close(): void;
}

/** Takes or renews the claim. Returns 0 if another node has it. */
const CLAIM = `
local holder = redis.call('GET', KEYS[1])
if holder ~= false and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Deletes the stream. The key of its end stays for a while, so that a node that comes back with an older disk knows
 * where to continue.
 */
const FORGET = `
if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
if tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1`;

const ANSWER_MS_MAX = 2000;

export function openDeadStreams(server: CacheServer, nodeId: string): DeadStreams {
  const redis = openConnection(server, "payinference-takeover");
  return { ...deadStreamsOn(redis, nodeId), close: () => redis.disconnect() };
}

function deadStreamsOn(redis: Redis, ownId: string): Omit<DeadStreams, "close"> {
  /** Rejects if the cache does not answer in time, because a hanging cache must not delay the end of the thread. */
  const inTime = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    answer.catch(() => undefined);
    const late: unique symbol = Symbol("late");
    const answered = await within(answer, ANSWER_MS_MAX, late);
    if (answered === late) throw new Error("the shared cache did not answer in time");
    return answered;
  };
  const isAlive = async (nodeId: string): Promise<boolean> =>
    (await inTime(redis.exists(mirrorKeys(nodeId).alive))) === 1;

  return {
    async list() {
      const silent: string[] = [];
      for (const nodeId of await inTime(redis.smembers(MIRRORED_NODES))) {
        if (nodeId !== ownId && !(await isAlive(nodeId))) silent.push(nodeId);
      }
      return silent;
    },
    async read(nodeId, after) {
      const { stream, end, claim } = mirrorKeys(nodeId);
      const claimed = await inTime(redis.eval(CLAIM, 1, claim, ownId, MIRROR.claimMs));
      if (claimed !== 1) return null;
      // Read the end before the records. If records up to the end are missing in the reply, PostgreSQL has stored them
      // and they were dropped. If the stream is gone, its end is unknown.
      const last = (await inTime(redis.exists(stream))) === 1 ? Number(await inTime(redis.get(end))) : 0;
      const reply = await inTime(
        redis.xrangeBuffer(stream, `${after + 1}-0`, "+", "COUNT", MIRROR.entriesReadMax),
      );
      return { batches: toBatches(reply, after), end: last };
    },
    async forget(nodeId, position) {
      const { stream, end, alive } = mirrorKeys(nodeId);
      const forgotten = await inTime(
        redis.eval(FORGET, 3, stream, end, alive, position, MIRROR.endKeptSeconds),
      );
      // If the node is alive after all, it adds itself again when it renews its lease.
      if (forgotten === 1) await inTime(redis.srem(MIRRORED_NODES, nodeId));
    },
    async release(nodeId) {
      await inTime(redis.eval(RELEASE, 1, mirrorKeys(nodeId).claim, ownId));
    },
  };
}
