import { ACTIONS, DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import type { TransactionStep } from "../../../platform/postgres/copy-transaction.js";
import { storeAttempts, type AttemptRow } from "./attempt-steps.js";
import { CostDeltaEncoder, type CostRow, type EncodedRows } from "./cost-deltas.js";
import { DecisionBatchEncoder, type SegmentName } from "./decision-batch.js";
import type { DecisionRow } from "./decision-row.js";
import { tellOfHeld } from "./held-step.js";
import { OutcomeBatchEncoder } from "./outcome-batch.js";
import type { OutcomeRow } from "./outcome-row.js";
import { COUNT_RETRY_OUTCOMES, RetryBatchEncoder, type RetryRow } from "./retry-batch.js";
import { RollupDeltaEncoder, FacetDeltaEncoder } from "./rollup-deltas.js";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { ByteRange } from "../../journal/decision-record.js";
import type { AnyConnection } from "../../../platform/postgres/tenant-db.js";
import type { ClientBase } from "pg";
import { monotonicMs } from "../../../platform/timing/clock.js";
import { foldFacets } from "./facet-fold.js";
import { createFacetIds } from "./facet-ids.js";

/** The records that one transaction stores. Each list is in the order of the journal. */
export interface WriteBatch {
  decisions: readonly DecisionRow[];
  /** The outcomes. If an outcome's decision is neither stored nor in this batch, it waits in a separate table. */
  outcomes: readonly OutcomeRow[];
  /** The health groups that the decisions used and that PostgreSQL may lack. */
  healthGroups?: readonly HealthGroupRow[];
  /** The costs of the batch's decisions with real pricing. Their ids must be the same objects as the decisions' ids. */
  costs?: readonly CostRow[];
  /** The retries, which are the batch's decisions with a previous attempt. */
  retries?: readonly RetryRow[];
  /** The batch's decisions that count as attempts because a policy counts them. */
  attempts?: readonly AttemptRow[];
}

export interface EncodedWriteBatch {
  steps: TransactionStep[];
  segments: readonly SegmentName[];
  /** The number of rows that the batch appends to the delta tables. A fold removes them. */
  deltas: number;
  /**
   * One moment in each week whose partitions must exist. Outcomes need none: their decisions' partitions exist already.
   */
  weekStartsMs: number[];
}

/** Few merchants have prices of their own, and few decisions are retries. */
const NO_ROWS: EncodedRows = { steps: [], rows: 0 };

/**
 * Turns a batch into the statements that store and count it. The bytes belong to the encoder, and its next call
 * overwrites them.
 */
export function createBatchStepsEncoder(): { encode(batch: WriteBatch): EncodedWriteBatch } {
  const decisionEncoder = new DecisionBatchEncoder();
  const outcomeEncoder = new OutcomeBatchEncoder();
  const deltaEncoder = new RollupDeltaEncoder();
  const facetEncoder = new FacetDeltaEncoder();
  const costEncoder = new CostDeltaEncoder();
  const retryEncoder = new RetryBatchEncoder();
  return {
    encode(batch) {
      const encoded = decisionEncoder.encode(batch.decisions, batch.costs);
      const deltas = deltaEncoder.encode(batch.decisions);
      const steps: TransactionStep[] = [...encoded.steps];
      if (deltas.rows > 0) steps.push(deltas.step, facetEncoder.encode(batch.decisions));
      const { costs: costRows = [], retries: retryRows = [] } = batch;
      const costs = costRows.length === 0 ? NO_ROWS : costEncoder.encode(costRows);
      const retries = retryRows.length === 0 ? NO_ROWS : retryEncoder.encode(retryRows);
      steps.push(...costs.steps, ...retries.steps);
      if (batch.outcomes.length > 0) {
        steps.push(...outcomeEncoder.encode(batch.outcomes), COUNT_RETRY_OUTCOMES);
      }
      if (batch.healthGroups !== undefined && batch.healthGroups.length > 0) {
        steps.push(storeHealthGroups(batch.healthGroups));
      }
      if (batch.attempts !== undefined && batch.attempts.length > 0)
        steps.push(storeAttempts(batch.attempts));
      const held = batch.decisions.filter(isHeld);
      if (held.length > 0) steps.push(tellOfHeld(held));
      return {
        steps,
        segments: encoded.segments,
        deltas: deltas.rows + costs.rows + retries.rows,
        weekStartsMs: encoded.weekStartsMs,
      };
    },
  };
}

const HOLD = ACTIONS.indexOf("hold");
const ENFORCE = DECISION_MODES.indexOf("enforce");

/** True if the decision waits for a review. */
function isHeld({ action, decisionMode }: DecisionRow): boolean {
  return action === HOLD && decisionMode === ENFORCE;
}

/** A health group that decisions used, with the hash of its content. A journal record has this shape. */
export interface HealthGroupRow {
  /** 16 bytes. */
  hash: ByteRange;
  /** UTF-8 JSON, as path/document/decision-document.ts writes it. */
  content: ByteRange;
}

/**
 * This quality halves a group of five providers (954 → 485 bytes) in 25 µs. PostgreSQL compresses no value below 2 KB.
 */
const HEALTH_COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** Bounds the memory for decompressing a row that this service did not write. */
const CONTENT_BYTES_MAX = 2 ** 20;

/**
 * Stores each group one time, even if several nodes have it. Values are literals of hexadecimal digits, because COPY
 * has no conflict clause. They are in the order of their hashes, so that two nodes with the same groups cannot
 * deadlock. RET-16: a group that is stored again is marked as used, at most twice a day.
 */
function storeHealthGroups(groups: readonly HealthGroupRow[]): TransactionStep {
  const byHash = new Map(groups.map(({ hash, content }) => [hash.toString("hex"), content]));
  const values = [...byHash]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([hash, content]) => `('\\x${hash}','\\x${compress(content).toString("hex")}')`);
  return {
    name: "health_views",
    sql: `insert into health_views (content_hash, content) values ${values.join(",")}
      on conflict (content_hash) do update set last_seen_at = excluded.last_seen_at
      where health_views.last_seen_at < now() - interval '12 hours'`,
  };
}

/** Finds the contents of stored groups. `names` and the keys of the result are hashes in base64url. */
export async function findHealthGroups(
  client: AnyConnection,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const { rows } = await client.query<{ content_hash: Buffer; content: Buffer }>({
    name: "find_health_groups",
    text: "select content_hash, content from health_views where content_hash = any($1::bytea[])",
    values: [names.map((name) => Buffer.from(name, "base64url"))],
  });
  return new Map(
    rows.map(({ content_hash, content }) => [content_hash.toString("base64url"), decompress(content)]),
  );
}

function compress({ source, start, end }: ByteRange): Buffer {
  return brotliCompressSync(source.subarray(start, end), HEALTH_COMPRESSION);
}

function decompress(content: Buffer): string {
  return brotliDecompressSync(content, { maxOutputLength: CONTENT_BYTES_MAX }).toString("utf8");
}

/** How much this node writes before it folds the deltas. */
export interface FoldLimits {
  /** The number of deltas. A reader adds up each of them, in about a microsecond. */
  deltas: number;
  decisions: number;
}

/**
 * A fold updates the rows of each merchant only once, so rarer folds cost less. Measured with 200 merchants in each
 * batch of 1000: a fold after 8000 decisions costs PostgreSQL 7 µs a decision, and one after 16000 costs 3 µs. With one
 * merchant, both cost less than 0.5 µs.
 */
const DEFAULT_LIMITS: FoldLimits = { deltas: 3000, decisions: 12_000 };
/**
 * On a quiet node, deltas are folded after this time, although they are few. A fold takes 5 ms. Without this limit,
 * deltas would stay for more than twenty seconds, and each aggregate would take PostgreSQL 5 ms, not 2.5 ms.
 */
const FOLD_INTERVAL_MS = 2000;
const FEW_DELTAS = 32;
/**
 * A fold of facets rewrites the block of a whole month: 200 kB for ten thousand facets. So a quiet node folds facets
 * rarely. Readers add up the remaining deltas, which costs 0.4 µs for each decision or outcome.
 */
const FACET_FOLD_INTERVAL_MS = 20_000;

export interface RollupFolder {
  /**
   * Call this after each committed transaction of the writer. Folds if a fold is due. Rejects while PostgreSQL is away.
   */
  written(client: ClientBase, added: { deltas: number; decisions: number; outcomes: number }): Promise<void>;
}

/**
 * Keeps rollup_deltas and the other delta tables short. Any node may fold the deltas of any other node. The deltas of
 * an earlier process are folded after the first write.
 */
export function createRollupFolder(
  limits: FoldLimits = DEFAULT_LIMITS,
  now: () => number = monotonicMs,
): RollupFolder {
  let foldedMs = now();
  let deltas = limits.deltas;
  let decisions = 0;
  const facetIds = createFacetIds();
  let facetsFoldedMs = now();
  let facetEntries = limits.decisions;

  async function foldFacetsIfDue(client: ClientBase, entries: number): Promise<void> {
    facetEntries += entries;
    const isTime = facetEntries > 0 && now() - facetsFoldedMs >= FACET_FOLD_INTERVAL_MS;
    if (facetEntries < limits.decisions && !isTime) return;
    await foldFacets(client, facetIds);
    await client.query("vacuum (truncate off) facet_deltas_rows, facet_blocks");
    facetsFoldedMs = now();
    facetEntries = 0;
  }

  return {
    async written(client, added) {
      await foldFacetsIfDue(client, added.decisions + added.outcomes);
      // An outcome adds at most one delta. Many outcomes share a delta, so only an eighth of them is counted.
      deltas += added.deltas + Math.ceil(added.outcomes / 8);
      decisions += added.decisions;
      const isTime = deltas >= FEW_DELTAS && now() - foldedMs >= FOLD_INTERVAL_MS;
      if (deltas < limits.deltas && decisions < limits.decisions && !isTime) return;
      await client.query("select fold_rollups()");
      await client.query("select fold_costs_and_retries()");
      // Vacuums the delta tables now, and not at autovacuum's next minute, because they are rewritten all the time.
      await client.query(
        "vacuum (truncate off) rollup_deltas_rows, rollup_cost_deltas_rows, rollup_retry_deltas_rows",
      );
      foldedMs = now();
      deltas = 0;
      decisions = 0;
    },
  };
}
