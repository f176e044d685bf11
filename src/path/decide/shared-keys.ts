import { bodyHashOf } from "../idempotency/reply-store.js";
import { readKeptReply } from "../idempotency/kept-reply.js";
import type { SharedKey, SharedReplies, SharedReply, StoringReply } from "../idempotency/shared-replies.js";
import type { DecideAnswer } from "./pool/messages.js";

/** What is needed to share a decision's reply with other nodes. */
export interface KeyedDecision {
  /** The request's position in the batch. */
  index: number;
  /** Null without an Idempotency-Key. */
  replyKey: string | null;
  /** The body of the request. */
  body: string;
  record: { workspaceId: string };
}

/** A reply that this node's journal has stored, so that every node may replay it. */
export interface JournalledReply extends StoringReply {
  index: number;
  /** The SHA-256 of this request's body. `bodyHash` belongs to the first request with the key. */
  requestHash: string;
}

export interface ClaimedBatch<Candidate> {
  /**
   * The requests that this node decides: those without a key, and those whose key it has claimed. While the cache is
   * down, all requests.
   */
  decided: readonly Candidate[];
  /** The keys that this node has claimed. */
  ours: readonly SharedKey[];
}

/**
 * Claims the keys of a batch in one round trip. Requests that another node is deciding or has decided get their answer
 * in `answers`.
 */
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
      claim === "held" ? { kind: "held" } : replayedAnswer(claim, bodyHashOf(candidate.body));
  }
  return { decided: candidates.filter((candidate) => !elsewhere.has(candidate)), ours };
}

/**
 * Shares the journalled replies with all nodes. False while the cache is down. If this node's claim has expired,
 * another node may have stored a reply first. That reply then becomes the answer here too, so that all nodes give the
 * same one.
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
    if (standing !== null && standing.body !== body) answers[index] = replayedAnswer(standing, requestHash);
  }
  return true;
}

/**
 * Returns the answer to a later request with the key of a first response. `requestHash` is the hash of the later
 * request's body.
 */
export function replayedAnswer(
  { body, bodyHash }: Pick<SharedReply, "body" | "bodyHash">,
  requestHash: string,
): DecideAnswer<string> {
  return { kind: "replayed", ...readKeptReply(body), bodyDiffers: bodyHash !== requestHash };
}
