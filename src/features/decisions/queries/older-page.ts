import type { DecisionFilter, DecisionScope } from "../../../domain/vocabulary/decision-scope.js";
import {
  OUTCOMES,
  REVIEW_RESOLUTIONS,
  type Outcome,
  type ReviewResolution,
} from "../../../domain/vocabulary/vocabulary.js";
import { idFromHex } from "../../../domain/ids/ids.js";
import type { Direction, Span } from "./id-spans.js";
import { nextIdHex } from "./id-spans.js";
import { hullOf, inOrder, inSpan, olderConditions, ONCE, type OlderSpan } from "./older-rows.js";
import type { PageFeedback } from "./stored-feedback.js";

/** A row of the older log, with its document. */
export interface OlderRow extends PageFeedback {
  /** The id in PostgreSQL's spelling. */
  uuid: string;
  document: string;
}

/** CH-12: finds the rows of a page in the direction of the search. */
export async function findOlderRows(
  span: OlderSpan,
  scope: DecisionScope,
  filter: DecisionFilter,
  { direction, offset, limit }: { direction: Direction; offset: number; limit: number },
): Promise<OlderRow[]> {
  const { text, texts } = olderConditions(scope, filter, span);
  const found = await span.older.rows<{ id: string }>(
    `select toString(decision_id) as id from decisions where ${text}
     ${inOrder(direction)} ${ONCE} limit ${limit} offset ${offset}`,
    texts,
  );
  return completeRows(
    span,
    found.map(({ id }) => id),
  );
}

/** The most ids in one query. */
const IDS_MAX = 500;

/** CH-13: returns the rows of `ids`, with documents and feedback, in the order of `ids`. */
export async function completeRows(span: OlderSpan, ids: readonly string[]): Promise<OlderRow[]> {
  const rows: OlderRow[] = [];
  for (let at = 0; at < ids.length; at += IDS_MAX) {
    const some = ids.slice(at, at + IDS_MAX);
    const found = await readRows({ ...span, ...spanOfIds(some) }, some);
    const byId = new Map(found.map((row) => [row.id, row]));
    rows.push(
      ...some.map((id) => {
        const row = byId.get(id);
        if (row === undefined) throw new RangeError("a row of the older log has gone");
        return { uuid: id, document: row.document, outcome: outcomeOf(row), review: reviewOf(row) };
      }),
    );
  }
  return rows;
}

function spanOfIds(ids: readonly string[]): Span {
  const hull = hullOf(
    ids.map((id) => {
      const low = id.replaceAll("-", "");
      return { low, high: nextIdHex(low) };
    }),
  );
  if (hull === null) throw new RangeError("no ids");
  return hull;
}

interface ReviewColumns {
  resolution: number | null;
  note: string | null;
  resolved_by: string;
  resolved_at_us: string | number;
}

interface CompleteRow extends ReviewColumns {
  id: string;
  document: string;
  outcome: number | null;
  provider_used: string | null;
  /** ClickHouse may write a number of 64 bits as text. */
  provider_latency_ms: string | number | null;
}

export const REVIEW_COLUMNS = "resolution, note, toString(resolved_by) as resolved_by, resolved_at_us";

function readRows(span: OlderSpan, ids: readonly string[]): Promise<CompleteRow[]> {
  const those = `${inSpan(span)} and decision_id in (${ids.map((id) => `'${id}'`).join(", ")})`;
  return span.older.rows<CompleteRow>(
    `select toString(d.decision_id) as id, document, outcome, provider_used, provider_latency_ms,
       resolution, note, resolved_by, resolved_at_us
     from (select decision_id, document from decisions where ${those} ${ONCE}) d
     left join (select decision_id, outcome, provider_used, provider_latency_ms from outcomes final where ${those}) o
       on o.decision_id = d.decision_id
     left join (select decision_id, ${REVIEW_COLUMNS} from reviews final where ${those}) r
       on r.decision_id = d.decision_id`,
  );
}

function outcomeOf(row: CompleteRow): PageFeedback["outcome"] {
  if (row.outcome === null) return null;
  const { provider_used: providerUsed, provider_latency_ms: latencyMs } = row;
  return {
    outcome: OUTCOMES[row.outcome] as Outcome,
    providerUsed,
    providerLatencyMs: latencyMs === null ? null : Number(latencyMs),
  };
}

export function reviewOf(row: ReviewColumns): PageFeedback["review"] {
  if (row.resolution === null) return null;
  return {
    resolution: REVIEW_RESOLUTIONS[row.resolution] as ReviewResolution,
    note: row.note,
    resolvedBy: idFromHex("usr", row.resolved_by),
    resolvedAt: timeOfUs(row.resolved_at_us),
  };
}

/** Microseconds, as PostgreSQL counts. A Date has whole milliseconds. */
export const timeOfUs = (us: string | number): Date => new Date(Math.floor(Number(us) / 1000));
