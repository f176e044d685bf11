import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  REVIEW_RESOLUTIONS,
  type Mode,
  type ReviewResolution,
} from "../../domain/vocabulary/vocabulary.js";
import { OUTCOME_COLUMNS, UNRESOLVED_COLUMNS } from "../../path/writer/copy/rollup-columns.js";
import { insertAuditEntries } from "../audit/service.js";
import { listSetAside, type StoredReview } from "../decisions/service.js";
import type { Tenant, TenantConnection } from "../../platform/postgres/tenant-db.js";

export interface ReviewRequest {
  workspaceId: string;
  mode: Mode;
  /** Well-formed ids, without repetitions. */
  decisionIds: readonly string[];
  resolution: ReviewResolution;
  note: string | null;
  /** `usr_…` */
  resolvedBy: string;
  /** Unix milliseconds. */
  nowMs: number;
}

/**
 * `conflict` means that the decision is already reviewed, has an outcome, is no hold, or is a shadow decision (REV-6).
 * `set_aside` means that PostgreSQL has refused the decision's record.
 */
export type ReviewResult =
  | { kind: "resolved"; review: StoredReview }
  | { kind: "not_found" | "conflict" | "set_aside" };

const HOLD = ACTIONS.indexOf("hold");
const ENFORCE = DECISION_MODES.indexOf("enforce");
const REJECTED_REASON = "HOLD_REVIEW_REJECTED";
const OF_DECISIONS = "workspace_id = $1 and mode = $2 and decision_id = any($3::uuid[])";

/** The values of `OF_DECISIONS`. */
type Key = readonly [workspaceId: string, mode: number, decisionIds: readonly string[]];

/**
 * Resolves held decisions, all in one transaction, and returns one result for each. If two reviews of a decision run at
 * the same time, one gets `conflict`. Rejects if PostgreSQL is away. Nothing is resolved then.
 */
export function resolveReviews(
  tenant: Tenant,
  request: ReviewRequest,
  nextId: () => string,
): Promise<ReviewResult[]> {
  const { decisionIds, resolution, note, resolvedBy, nowMs } = request;
  const [workspaceId, mode] = [idToHex(request.workspaceId), MODES.indexOf(request.mode)];
  return tenant.transaction(async (client) => {
    const found = await lockDecisions(client, [workspaceId, mode, decisionIds.map(idToHex)]);
    const missing = decisionIds.filter((id) => !found.has(id));
    const setAside = await listSetAside(client, [workspaceId, mode, missing.map(idToHex)]);
    const held = decisionIds.filter((id) => found.get(id) === true);
    const resolved = await insertReviews(client, [workspaceId, mode, held.map(idToHex)], request);
    if (resolved.size > 0) {
      const key = [workspaceId, mode, [...resolved].map(idToHex)] as const;
      if (resolution === "reject") await insertBlocked(client, key, nowMs);
      await countReviews(client, key, resolution);
      await insertAuditEntries(
        client,
        Array.from(resolved, (decisionId) => ({
          auditId: `aud_${nextId()}`,
          actor: resolvedBy,
          workspaceId: request.workspaceId,
          action: resolution === "approve" ? "review.approved" : "review.rejected",
          resource: decisionId,
          metadata: { mode: request.mode },
        })),
      );
    }
    const review = { resolution, note, resolvedBy, resolvedAt: new Date(nowMs) };
    return decisionIds.map((id) => {
      if (resolved.has(id)) return { kind: "resolved", review };
      if (found.has(id)) return { kind: "conflict" };
      return { kind: setAside.has(id) ? "set_aside" : "not_found" };
    });
  });
}

/**
 * Finds the decisions, and whether each is an enforced hold. Until the commit, the locks keep out other reviews and
 * outcomes of these decisions. `apply_outcomes` takes the same locks in the same order, so neither waits for ever.
 */
async function lockDecisions(client: TenantConnection, key: Key): Promise<Map<string, boolean>> {
  const { rows } = await client.query<{ decision_id: string; action: number; decision_mode: number }>(
    `select decision_id, action, decision_mode from decisions where ${OF_DECISIONS}
     order by workspace_id, mode, decision_id for update`,
    [...key],
  );
  return new Map(
    rows.map((row) => [
      idFromHex("dec", row.decision_id),
      row.action === HOLD && row.decision_mode === ENFORCE,
    ]),
  );
}

/** Stores the reviews. Returns the decisions that had neither a review nor an outcome; only these get a review. */
async function insertReviews(
  client: TenantConnection,
  key: Key,
  request: ReviewRequest,
): Promise<Set<string>> {
  const { rows } = await client.query<{ decision_id: string }>(
    `insert into reviews (workspace_id, mode, decision_id, resolution, note, resolved_by, resolved_at)
     select $1, $2, held.decision_id, $4, $5, $6, $7 from unnest($3::uuid[]) as held (decision_id)
     where not exists (
       select from outcomes o where o.workspace_id = $1 and o.mode = $2 and o.decision_id = held.decision_id
     )
     on conflict do nothing
     returning decision_id`,
    [
      ...key,
      REVIEW_RESOLUTIONS.indexOf(request.resolution),
      request.note,
      idToHex(request.resolvedBy),
      new Date(request.nowMs),
    ],
  );
  return new Set(rows.map(({ decision_id }) => idFromHex("dec", decision_id)));
}

/** REV-5: stores the outcomes of rejected holds, which used no provider. */
async function insertBlocked(client: TenantConnection, key: Key, nowMs: number): Promise<void> {
  await client.query(
    `insert into outcomes (workspace_id, mode, decision_id, outcome, order_id, provider_reason_code, reported_at)
     select workspace_id, mode, decision_id, $4, order_id, $5, $6 from decisions where ${OF_DECISIONS}`,
    [...key, OUTCOMES.indexOf("blocked"), REJECTED_REASON, new Date(nowMs)],
  );
}

async function countReviews(client: TenantConnection, key: Key, resolution: ReviewResolution): Promise<void> {
  const unresolved = UNRESOLVED_COLUMNS[HOLD] as string;
  const blocked = OUTCOME_COLUMNS[OUTCOMES.indexOf("blocked")] as string;
  await client.query(
    `insert into rollup_deltas (workspace_id, mode, merchant_id, hour, ${unresolved}, ${blocked})
     select workspace_id, mode, merchant_id, id_hour(decision_id), -count(*), case when $4 then count(*) end
     from decisions where ${OF_DECISIONS}
     group by workspace_id, mode, merchant_id, id_hour(decision_id)`,
    [...key, resolution === "reject"],
  );
  await client.query(
    `insert into facet_deltas (workspace_id, mode, hour, followed)
     select workspace_id, mode, id_hour(decision_id), string_agg(concat(
       facet_text(merchant_id, currency, country, payment_method, card_network, primary_provider), '|', action, ',',
       $4::smallint, ',,1'), ';')
     from decisions where ${OF_DECISIONS}
     group by workspace_id, mode, id_hour(decision_id)`,
    [...key, resolution === "reject" ? OUTCOMES.indexOf("blocked") : null],
  );
}
