import type { CacheRoundTrip } from "../../platform/cache/round-trip.js";
import { writeKeptReply } from "../idempotency/kept-reply.js";
import { bodyHashOf, type FirstReply, type StoredReply } from "../idempotency/reply-store.js";
import type { OwedReplies } from "../idempotency/owed-replies.js";
import type { SharedReplies } from "../idempotency/shared-replies.js";
import type { MirrorGate } from "../mirror/mirror-signal.js";
import { createBatchEncoder, type BatchEncoder } from "../journal/batch-codec.js";
import type { DecisionRecord } from "../journal/decision-record.js";
import type { Journal } from "../journal/journal.js";
import type { RetryRecord } from "../journal/retry-record.js";
import type { CostComparison } from "../../domain/pricing/cost-comparison.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { CountedAttempts } from "./counted-attempts.js";
import type { RecordedHealth } from "../document/decision-document.js";
import type { BatchReply, DecideAnswer, DecideReply } from "./pool/messages.js";
import { type TaskPage, packAnswers, retryTimesOf } from "./pool/shared-memory.js";
import {
  claimKeys,
  replayedAnswer,
  shareReplies,
  type JournalledReply,
  type KeyedDecision,
} from "./shared-keys.js";
import { idToHex } from "../../domain/ids/ids.js";
import type { AttemptRecord } from "../journal/attempt-record.js";
import type { CostRecord } from "../journal/cost-record.js";

/** What a worker needs to share replies among all nodes (CACHE_URL). */
export interface SharedIdempotency {
  replies: SharedReplies;
  /** Queues replies that could not be shared with the other nodes. */
  owe: OwedReplies["owe"];
  /** Returns the round trips since the last call. */
  takeRoundTrips(): CacheRoundTrip[];
  /** The gate at which a reply waits for the mirror before other nodes may replay it. Null without JOURNAL_MIRROR. */
  mirror: MirrorGate | null;
}

/** A decision whose answer must wait until its batch is committed. */
export interface Candidate extends KeyedDecision {
  record: DecisionRecord;
  /** Null without real pricing. */
  cost: CostComparison | null;
  /** Null without a previous attempt. */
  retry: RetryRecord | null;
  /**
   * The health that the decision used. It is journalled with the decision unless this thread has journalled it before.
   */
  health: RecordedHealth;
  /** Null unless the merchant's policy counts attempts. */
  counting: Counting | null;
  answer: Extract<DecideAnswer<string>, { kind: "decided" }>;
}

/** RTRY-14: how a decision counts attempts. */
export interface Counting {
  counted: CountedAttempts;
  /** True if the decision itself counts as an attempt. */
  isAttempt: boolean;
  /** Repeats the decision with another list of attempts. */
  decideAgain(list: Buffer): Candidate | DecideAnswer<string>;
}

/** Collects the records of a batch, inside the transaction that appends them. */
class GatheredRecords {
  readonly healthGroups: RecordedHealth[] = [];
  readonly #decisions: DecisionRecord[] = [];
  readonly #costs: CostRecord[] = [];
  readonly #retries: RetryRecord[] = [];
  readonly #attempts: AttemptRecord[] = [];

  add(
    { attempts }: Journal,
    {
      record,
      cost,
      retry,
      health,
      counting,
    }: Pick<Candidate, "record" | "cost" | "retry" | "health" | "counting">,
  ): void {
    const decisionAt = this.#decisions.length;
    this.#decisions.push(record);
    if (cost !== null) this.#costs.push({ ...cost, decisionAt });
    if (retry !== null) this.#retries.push(retry);
    if (!health.journalled && !this.healthGroups.includes(health)) this.healthGroups.push(health);
    if (counting?.isAttempt === true) {
      const { key } = counting.counted;
      attempts.add(key, Buffer.from(idToHex(record.decisionId), "hex"));
      this.#attempts.push({ decisionAt, key });
    }
  }

  /** Appends the records. Returns the journal's sequence after them, or 0 if there are none. */
  appendTo(journal: Journal, encoder: BatchEncoder): number {
    const decisions = this.#decisions;
    const { healthGroups } = this;
    const [costs, retries, attempts] = [this.#costs, this.#retries, this.#attempts];
    if (decisions.length === 0) return 0;
    return journal.append(
      encoder.encode(decisions, { healthGroups, costs, retries, attempts }),
      decisions.length + healthGroups.length + costs.length + retries.length + attempts.length,
    );
  }
}

/**
 * RTRY-14: if the journal has other attempts than the decision saw, the decision is made again with the stored ones.
 * Call it inside the commit's transaction, where nothing else can add an attempt.
 */
function withNewestAttempts(journal: Journal, candidate: Candidate): Candidate | DecideAnswer<string> {
  const { counting } = candidate;
  if (counting === null || counting.counted.seen === null) return candidate;
  const newest = journal.attempts.find(counting.counted.key);
  return newest.equals(counting.counted.seen) ? candidate : counting.decideAgain(newest);
}

/**
 * The journal sequence that the mirror must have before the batch may answer. A replay repeats the answer of an earlier
 * batch, so the mirror must have everything that this node has journalled so far.
 */
function neededSequence(journal: Journal, answers: readonly DecideAnswer[], sequence: number): number {
  return answers.some(({ kind }) => kind === "replayed") ? journal.lastSequence() : sequence;
}

/** DUR-18: replies that exist only on this node's disk must not be shared with other nodes. */
async function oweOnceMirrored(
  { owe, mirror }: SharedIdempotency,
  sequence: number,
  replies: readonly JournalledReply[],
): Promise<void> {
  if (mirror === null || (await mirror.through(sequence))) owe(replies);
}

/**
 * Ends a batch: writes its candidates to the journal, shares the replies with other nodes if there is a shared cache,
 * and then answers.
 */
export function createBatchCommit(journal: Journal | null, shared: SharedIdempotency | null) {
  const encoder = createBatchEncoder();

  /**
   * Commits records and replies together. A request whose key already has a reply gets that reply and is not recorded.
   * If `journalledReplies` is given, it also gets the replies, for the other nodes.
   */
  const commit = (
    journalled: Journal,
    candidates: readonly Candidate[],
    answers: DecideAnswer<string>[],
    nowMs: number,
    journalledReplies: JournalledReply[] | null,
  ): number => {
    const gathered = new GatheredRecords();
    const sequence = journalled.transaction(() => {
      /** The replies that this batch stores, by key. */
      const firstReplies = new Map<string, FirstReply>();
      const findReply = (key: string): StoredReply | null => {
        const first = firstReplies.get(key);
        if (first === undefined) return journalled.replies.find(key, nowMs);
        const { reply: body, bodyHash } = first;
        return { body, bodyHash, expiresAtMs: nowMs + LIMITS.idempotencyWindowMs };
      };
      for (const candidate of candidates) {
        const { index, replyKey: key } = candidate;
        const requestHash = key === null ? "" : bodyHashOf(candidate.body);
        const stored = key === null ? null : findReply(key);
        if (key !== null && stored !== null) {
          answers[index] = replayedAnswer(stored, requestHash);
          const { workspaceId } = candidate.record;
          const leftMs = stored.expiresAtMs - nowMs;
          journalledReplies?.push({ ...stored, index, workspaceId, replyKey: key, requestHash, leftMs });
          continue;
        }
        const latest = withNewestAttempts(journalled, candidate);
        if (!("record" in latest)) {
          answers[index] = latest;
          continue;
        }
        if (key !== null) {
          const { workspaceId } = latest.record;
          const reply = writeKeptReply(latest.answer);
          const leftMs = LIMITS.idempotencyWindowMs;
          const stands = { body: reply, bodyHash: requestHash };
          firstReplies.set(key, { key, bodyHash: requestHash, reply });
          journalledReplies?.push({ ...stands, index, workspaceId, replyKey: key, requestHash, leftMs });
        }
        gathered.add(journalled, latest);
        answers[index] = latest.answer;
      }
      if (firstReplies.size > 0) journalled.replies.store([...firstReplies.values()], nowMs);
      return gathered.appendTo(journalled, encoder);
    });
    // Marked only after the commit, because a rolled-back group must be journalled later.
    for (const group of gathered.healthGroups) group.journalled = true;
    return sequence;
  };

  const finish = (
    candidates: readonly Candidate[],
    answers: DecideAnswer<string>[],
    nowMs: number,
    journalledReplies: JournalledReply[] | null,
  ): Pick<BatchReply, "sequence" | "journalError"> => {
    let sequence = 0;
    let journalError: string | null = null;
    if (journal !== null && candidates.length > 0) {
      try {
        sequence = commit(journal, candidates, answers, nowMs, journalledReplies);
        if (shared !== null && shared.mirror !== null) sequence = neededSequence(journal, answers, sequence);
      } catch (error) {
        // The disk or the journal may be full. Nothing of this batch is recorded, so none of it may be acknowledged.
        journalError = String(error);
        for (const { index } of candidates) answers[index] = { kind: "unavailable" };
      }
    }
    return { sequence, journalError };
  };

  /**
   * Claims the keys, commits to the journal, and then shares the replies. In another order, a crash could lose a reply
   * that another node has given. The journal decides for a claimed key, and restores replies that the cache has lost.
   */
  const finishShared = async (
    { replies, owe, takeRoundTrips, mirror }: SharedIdempotency,
    candidates: readonly Candidate[],
    answers: DecideAnswer<string>[],
    nowMs: number,
    bug: string | null,
    page: TaskPage,
  ): Promise<DecideReply> => {
    const { decided, ours } = await claimKeys(replies, candidates, answers);
    const journalledReplies: JournalledReply[] = [];
    const withheld: Pick<DecideReply, "isWithheld"> = {};
    const { sequence, journalError } = finish(decided, answers, nowMs, journalledReplies);
    if (journalError !== null) {
      if (ours.length > 0) void replies.release(ours);
    } else if (mirror !== null && !(await mirror.through(sequence))) withheld.isWithheld = true;
    else if (journalledReplies.length > 0) {
      const shared = await shareReplies(replies, journalledReplies, answers);
      if (!shared) owe(journalledReplies);
    }
    return {
      ...withheld,
      oversize: packAnswers(answers, page),
      retryNotBefore: retryTimesOf(answers),
      sequence,
      journalError,
      bug,
      cacheRoundTrips: takeRoundTrips(),
    };
  };

  /**
   * Finishes a batch and writes `answers` to `page`. A candidate's answer may be replaced by one from the journal or
   * another node.
   */
  return (
    candidates: readonly Candidate[],
    answers: DecideAnswer<string>[],
    nowMs: number,
    bug: string | null,
    page: TaskPage,
  ): DecideReply | Promise<DecideReply> => {
    if (shared !== null && shared.replies.isUp() && candidates.some(({ replyKey }) => replyKey !== null)) {
      return finishShared(shared, candidates, answers, nowMs, bug, page);
    }
    const unshared: JournalledReply[] | null = shared === null ? null : [];
    const { sequence, journalError } = finish(candidates, answers, nowMs, unshared);
    if (shared !== null && unshared !== null && unshared.length > 0 && journalError === null) {
      void oweOnceMirrored(shared, sequence, unshared);
    }
    const retryNotBefore = retryTimesOf(answers);
    return { oversize: packAnswers(answers, page), retryNotBefore, sequence, journalError, bug };
  };
}
