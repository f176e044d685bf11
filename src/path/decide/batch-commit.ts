import type { CacheRoundTrip } from "../../platform/cache/round-trip.js";
import { bodyHashOf, type FirstReply, type StoredReply } from "../idempotency/reply-store.js";
import type { OwedReplies } from "../idempotency/owed-replies.js";
import type { SharedReplies } from "../idempotency/shared-replies.js";
import { createBatchEncoder } from "../journal/batch-codec.js";
import type { CostRecord } from "../journal/cost-record.js";
import type { DecisionRecord } from "../journal/decision-record.js";
import type { Journal } from "../journal/journal.js";
import type { RetryRecord } from "../journal/retry-record.js";
import type { CostComparison } from "../../domain/pricing/cost-comparison.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { RecordedHealth } from "./health-recorder.js";
import type { BatchReply, DecideAnswer, DecideReply } from "./pool/messages.js";
import { packAnswers } from "./pool/packed-answers.js";
import type { TaskPage } from "./pool/task-page.js";
import { claimKeys, shareReplies, type JournalledReply, type KeyedDecision } from "./shared-keys.js";

/** The replies that all nodes share through CACHE_URL. */
export interface SharedIdempotency {
  replies: SharedReplies;
  /** Queues replies that could not be shown to other nodes. */
  owe: OwedReplies["owe"];
  /** Returns the round trips since the last call. */
  takeRoundTrips(): CacheRoundTrip[];
}

/** A decision whose answer waits for the commit of its batch. */
export interface Candidate extends KeyedDecision {
  reply: string;
  record: DecisionRecord;
  /** Null without real pricing. */
  cost: CostComparison | null;
  /** Null without a previous attempt. */
  retry: RetryRecord | null;
  /** The health that the decision saw. It is journalled with the decision unless it has been before. */
  health: RecordedHealth;
  answer: DecideAnswer<string>;
}

/**
 * Ends a batch: writes its candidates to the journal, shows them to all nodes if there is a shared cache, and then
 * answers.
 */
export function createBatchCommit(journal: Journal | null, shared: SharedIdempotency | null) {
  const encoder = createBatchEncoder();

  /**
   * Commits records and replies together. A key that already has a reply is answered with it and not recorded. If other
   * nodes must see the replies, they are added to `journalledReplies` too.
   */
  const commit = (
    journalled: Journal,
    candidates: readonly Candidate[],
    answers: DecideAnswer<string>[],
    nowMs: number,
    journalledReplies: JournalledReply[] | null,
  ): number => {
    const healthGroups: RecordedHealth[] = [];
    const sequence = journalled.transaction(() => {
      const records: DecisionRecord[] = [];
      const costs: CostRecord[] = [];
      const retries: RetryRecord[] = [];
      /** The first replies of this batch. */
      const firstReplies = new Map<string, FirstReply>();
      const findReply = (key: string): StoredReply | null => {
        const first = firstReplies.get(key);
        if (first === undefined) return journalled.replies.find(key, nowMs);
        const { reply: body, bodyHash } = first;
        return { body, bodyHash, expiresAtMs: nowMs + LIMITS.idempotencyWindowMs };
      };
      for (const { index, replyKey: key, body, reply, record, cost, retry, health, answer } of candidates) {
        if (key !== null) {
          const { workspaceId } = record;
          const requestHash = bodyHashOf(body);
          const stored = findReply(key);
          if (stored !== null) {
            const { bodyHash, expiresAtMs } = stored;
            answers[index] = { kind: "replayed", body: stored.body, bodyDiffers: bodyHash !== requestHash };
            const leftMs = expiresAtMs - nowMs;
            journalledReplies?.push({ ...stored, index, workspaceId, replyKey: key, requestHash, leftMs });
            continue;
          }
          firstReplies.set(key, { key, bodyHash: requestHash, reply });
          journalledReplies?.push({
            index,
            workspaceId,
            replyKey: key,
            requestHash,
            bodyHash: requestHash,
            body: reply,
            leftMs: LIMITS.idempotencyWindowMs,
          });
        }
        if (cost !== null) costs.push({ ...cost, decisionAt: records.length });
        records.push(record);
        if (retry !== null) retries.push(retry);
        if (!health.journalled && !healthGroups.includes(health)) healthGroups.push(health);
        answers[index] = answer;
      }
      if (records.length === 0) return 0;
      journalled.replies.store([...firstReplies.values()], nowMs);
      return journalled.append(
        encoder.encode(records, { healthGroups, costs, retries }),
        records.length + healthGroups.length + costs.length + retries.length,
      );
    });
    // This waits for the commit: a group that was rolled back is journalled with the next decision that saw it.
    for (const group of healthGroups) group.journalled = true;
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
      } catch (error) {
        // A full disk or a full journal: nothing of this batch is recorded, so none of it is acknowledged.
        journalError = String(error);
        for (const { index } of candidates) answers[index] = { kind: "unavailable" };
      }
    }
    return { sequence, journalError };
  };

  /**
   * Claims the keys, commits to the journal, then shares the replies. So no other node replays what a crash could lose.
   * The journal has the final answer for a claimed key. Replies that the cache has lost are restored from it.
   */
  const finishShared = async (
    { replies, owe, takeRoundTrips }: SharedIdempotency,
    candidates: readonly Candidate[],
    answers: DecideAnswer<string>[],
    nowMs: number,
    bug: string | null,
    page: TaskPage,
  ): Promise<DecideReply> => {
    const { decided, ours } = await claimKeys(replies, candidates, answers);
    const journalledReplies: JournalledReply[] = [];
    const { sequence, journalError } = finish(decided, answers, nowMs, journalledReplies);
    if (journalError !== null) {
      if (ours.length > 0) void replies.release(ours);
    } else if (journalledReplies.length > 0) {
      const shared = await shareReplies(replies, journalledReplies, answers);
      if (!shared) owe(journalledReplies);
    }
    return {
      oversize: packAnswers(answers, page),
      sequence,
      journalError,
      bug,
      cacheRoundTrips: takeRoundTrips(),
    };
  };

  /** Finishes a batch and writes `answers` to `page`. The journal and other nodes may replace those of candidates. */
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
      shared.owe(unshared);
    }
    return { oversize: packAnswers(answers, page), sequence, journalError, bug };
  };
}
