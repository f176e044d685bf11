import { cacheScript, type CacheClient, type ScriptCall } from "../../platform/cache/cache-client.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/** The parts of a reply's name in the cache. */
export interface SharedKey {
  workspaceId: string;
  /** The result of replyKey in reply-store.ts. */
  replyKey: string;
}

/** A first response as all nodes replay it. */
export interface SharedReply {
  /** SHA-256 of the first request's body, base64url. */
  bodyHash: string;
  body: string;
}

/**
 * `ours`: this node must decide, and then store a reply or release the key. `held`: another node is deciding, or the
 * workspace's replies still have to come from another cell. A SharedReply: the request has been decided.
 */
export type Claim = "ours" | "held" | SharedReply;

export interface StoringReply extends SharedKey, SharedReply {
  /** The milliseconds that are left of the reply's hour. */
  leftMs: number;
}

/** Idempotency across nodes, for all keys of a batch at once. Results are null while the cache is down. */
export interface SharedReplies {
  isUp(): boolean;
  claim(keys: readonly SharedKey[]): Promise<Claim[] | null>;
  /** By position: null if the reply was stored, or else the earlier reply, which stays. */
  store(replies: readonly StoringReply[]): Promise<(SharedReply | null)[] | null>;
  /** Releases claimed keys that got no reply, so that other nodes need not wait until the claims expire. */
  release(keys: readonly SharedKey[]): Promise<void>;
}

/*
 * A key has the value `c:<node>` while that node decides, at most for `idempotencyClaimMs`. Afterwards it has `r:<body
 * hash>:<reply>` for the rest of the hour. A claim belongs to a node, not to a request. Among requests of one node, the
 * node's journal decides which is first.
 */
const CLAIM = cacheScript(`
local held = redis.call('GET', KEYS[1])
if held == false and redis.call('EXISTS', ARGV[3]) == 1 then return 'c:' end
if held == false or held == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return ''
end
return held`);
/** The first reply stays, even if another node has the claim by now, so that all nodes give the same answer. */
const STORE = cacheScript(`
local held = redis.call('GET', KEYS[1])
if held ~= false and string.sub(held, 1, 2) == 'r:' then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''`);
const RELEASE = cacheScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return ''`);

export const SHARED_REPLY_SCRIPTS = [CLAIM, STORE, RELEASE] as const;

const SHA256_BASE64URL_CHARS = 43;
const REPLY_AT = "r:".length + SHA256_BASE64URL_CHARS + ":".length;

export function createSharedReplies(cache: CacheClient, nodeId: string): SharedReplies {
  const token = `c:${nodeId}`;
  return {
    isUp: cache.isUp,

    async claim(keys) {
      const held = await cache.call(
        "claim",
        keys.map((key): ScriptCall => ({
          script: CLAIM,
          key: cacheKey(key),
          args: [token, TUNING.idempotencyClaimMs, holdKey(key.workspaceId)],
        })),
      );
      return held?.map((value) => (value === "" ? "ours" : (toReply(value) ?? "held"))) ?? null;
    },

    async store(replies) {
      const before = await cache.call(
        "store",
        replies.map((reply): ScriptCall => ({
          script: STORE,
          key: cacheKey(reply),
          args: [`r:${reply.bodyHash}:${reply.body}`, Math.max(1, Math.ceil(reply.leftMs))],
        })),
      );
      return before?.map(toReply) ?? null;
    },

    async release(keys) {
      const calls = keys.map((key): ScriptCall => ({ script: RELEASE, key: cacheKey(key), args: [token] }));
      await cache.call("release", calls);
    },
  };
}

/** The braces make a cluster place all keys of a workspace on one node. */
export const replyPrefix = (workspaceId: string): string => `pi:{${workspaceId}}:reply:`;

/** CELL-10: while this key is there, no new key of the workspace is claimed. Its replies come from another cell. */
export const holdKey = (workspaceId: string): string => `pi:{${workspaceId}}:hold`;

const cacheKey = ({ workspaceId, replyKey }: SharedKey): string => replyPrefix(workspaceId) + replyKey;

function toReply(value: unknown): SharedReply | null {
  if (typeof value !== "string" || !value.startsWith("r:")) return null;
  return { bodyHash: value.slice("r:".length, REPLY_AT - 1), body: value.slice(REPLY_AT) };
}
