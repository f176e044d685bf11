import { cacheScript, type CacheClient, type ScriptCall } from "../../platform/cache/cache-client.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/** The parts of a key's name in the cache. */
export interface SharedKey {
  workspaceId: string;
  /** See replyKey in reply-store.ts. */
  replyKey: string;
}

/** A first response in the form that every node replays. */
export interface SharedReply {
  /** SHA-256 of the first request's body, base64url. */
  bodyHash: string;
  body: string;
}

/**
 * `ours`: this node decides, and then stores or releases the key. `held`: another node is deciding. A reply: the
 * request has been decided.
 */
export type Claim = "ours" | "held" | SharedReply;

export interface StoringReply extends SharedKey, SharedReply {
  /** The milliseconds left of its hour. */
  leftMs: number;
}

/** Idempotency between nodes, for the keys of a whole batch at a time. Results are null while the cache is down. */
export interface SharedReplies {
  isUp(): boolean;
  claim(keys: readonly SharedKey[]): Promise<Claim[] | null>;
  /** By position: null if the reply is now stored, or the earlier reply that remains. */
  store(replies: readonly StoringReply[]): Promise<(SharedReply | null)[] | null>;
  /** Releases keys that got no reply, so that other nodes need not wait for the claims to expire. */
  release(keys: readonly SharedKey[]): Promise<void>;
}

/*
 * A key holds `c:<node>` while that node decides, for `idempotencyClaimMs`. Then it holds `r:<body hash>:<reply>` for
 * the rest of the hour. A claim belongs to the node, not to a request. Among requests of one node, the node's journal
 * picks the winner.
 */
const CLAIM = cacheScript(`
local held = redis.call('GET', KEYS[1])
if held == false and redis.call('EXISTS', ARGV[3]) == 1 then return 'c:' end
if held == false or held == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return ''
end
return held`);
/** The first reply remains, even if the claim has passed to another node, so that all nodes give the same answer. */
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

/** A cluster places the key by the workspace in braces. */
export const replyPrefix = (workspaceId: string): string => `pi:{${workspaceId}}:reply:`;

/** CELL-10: while this key is there, no new key of the workspace is claimed. Its replies come from another cell. */
export const holdKey = (workspaceId: string): string => `pi:{${workspaceId}}:hold`;

const cacheKey = ({ workspaceId, replyKey }: SharedKey): string => replyPrefix(workspaceId) + replyKey;

function toReply(value: unknown): SharedReply | null {
  if (typeof value !== "string" || !value.startsWith("r:")) return null;
  return { bodyHash: value.slice("r:".length, REPLY_AT - 1), body: value.slice(REPLY_AT) };
}
