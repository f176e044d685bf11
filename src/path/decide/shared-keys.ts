import { bodyHashOf } from "../idempotency/reply-store.js";
import type { SharedKey, SharedReplies, SharedReply, StoringReply } from "../idempotency/shared-replies.js";
import type { DecideAnswer } from "./pool/messages.js";

/** What a decision that carries an Idempotency-Key is known by, between nodes. */
export interface KeyedDecision {
  /** Its place in the batch. */
  index: number;
  /** Null without an Idempotency-Key. */
  replyKey: string | null;
  /** Of the request. */
  body: string;
  record: { workspaceId: string };
}

/** A reply that this node's journal holds by now, for every node to replay. */
export interface JournalledReply extends StoringReply {
  index: number;
  /** SHA-256 of this request's own body: that of the reply is of the first request's. */
  requestHash: string;
}

export interface ClaimedBatch<Candidate> {
  /** Those that this node decides: without a key, with a key of its own, or all, where the cache is away. */
  decided: readonly Candidate[];
  /** The keys this node has claimed. */
  ours: readonly SharedKey[];
}

/** Claims the keys of a batch in one round trip. The answers of the others are put in their places. */
export async function claimKeys<Candidate extends KeyedDecision>(
  shared: SharedReplies,
  candidates: readonly Candidate[],
  answers: DecideAnswer[],
): Promise<ClaimedBatch<Candidate>> {
  const keyed = candidates.filter(({ replyKey }) => replyKey !== null);
  const keys = keyed.map(({ replyKey, record }): SharedKey => ({
    workspaceId: record.workspaceId,
    replyKey: replyKey as string,
  }));
  const claims = await shared.claim(keys);
  if (claims === null) return { decided: candidates, ours: [] };
  const elsewhere = new Set<Candidate>();
  const ours: SharedKey[] = [];
  for (const [at, candidate] of keyed.entries()) {
    const claim = claims[at] ?? "ours";
    if (claim === "ours") {
      ours.push(keys[at] as SharedKey);
      continue;
    }
    elsewhere.add(candidate);
    answers[candidate.index] =
      claim === "held" ? { kind: "held" } : replayed(claim, bodyHashOf(candidate.body));
  }
  return { decided: candidates.filter((candidate) => !elsewhere.has(candidate)), ours };
}

/**
 * Shows the journalled replies to all nodes; false where the cache is away. Where another reply stands already, of a node that went on when this one's
 * claim had run out, that is the answer: every node gives the same one.
 */
export async function shareReplies(
  shared: SharedReplies,
  replies: readonly JournalledReply[],
  answers: DecideAnswer[],
): Promise<boolean> {
  const before = await shared.store(replies);
  if (before === null) return false;
  for (const [at, { index, body, requestHash }] of replies.entries()) {
    const standing = before[at] ?? null;
    if (standing !== null && standing.body !== body) answers[index] = replayed(standing, requestHash);
  }
  return true;
}

function replayed({ body, bodyHash }: SharedReply, requestHash: string): DecideAnswer {
  return { kind: "replayed", body, bodyDiffers: bodyHash !== requestHash };
}
