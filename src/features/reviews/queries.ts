import { idTimeMs, idToHex } from "../../domain/ids/ids.js";
import {
  ACTIONS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  REVIEW_RESOLUTIONS,
  type Mode,
  type ReviewResolution,
} from "../../domain/vocabulary/vocabulary.js";
import { HOUR_MS, OUTCOME_COLUMNS, UNRESOLVED_COLUMNS } from "../../path/writer/copy/rollup-columns.js";
import { assertNotSetAside, type StoredReview } from "../decisions/service.js";
import type { Tenant, TenantConnection } from "../../platform/postgres/tenant-db.js";

export interface ReviewRequest {
  workspaceId: string;
  mode: Mode;
  /** The id is well-formed. */
  decisionId: string;
  resolution: ReviewResolution;
  note: string | null;
  /** `usr_…` */
  resolvedBy: string;
  /** Unix milliseconds. */
  nowMs: number;
}

/** `conflict`: the decision is already reviewed, has an outcome, is no hold, or is a shadow decision (REV-6). */
export type ReviewResult = { kind: "resolved"; review: StoredReview } | { kind: "not_found" | "conflict" };

const HOLD = ACTIONS.indexOf("hold");
const REJECTED_REASON = "HOLD_REVIEW_REJECTED";
const OF_DECISION = "workspace_id = $1 and mode = $2 and decision_id = $3";

/**
 * Resolves a held decision. When two reviews come at the same time, one gets `conflict`. Rejects when PostgreSQL is
 * away.
 */
export function resolveReview(tenant: Tenant, request: ReviewRequest): Promise<ReviewResult> {
  const key = [idToHex(request.workspaceId), MODES.indexOf(request.mode), idToHex(request.decisionId)];
  return tenant.transaction(async (client) => {
    // Until the commit, the lock keeps out other reviews and outcomes of this decision (apply_outcomes waits for the
    // same lock).
    const { rows } = await client.query<{ action: number; decision_mode: number; merchant_id: string }>(
      `select action, decision_mode, merchant_id from decisions where ${OF_DECISION} for update`,
      key,
    );
    const decision = rows[0];
    if (decision === undefined) {
      await assertNotSetAside(client, key);
      return { kind: "not_found" };
    }
    if (decision.action !== HOLD || decision.decision_mode !== DECISION_MODES.indexOf("enforce")) {
      return { kind: "conflict" };
    }
    if (!(await insertReview(client, key, request))) return { kind: "conflict" };
    if (request.resolution === "reject") await insertBlocked(client, key, request.nowMs);
    await countReview(client, key, request, decision.merchant_id);
    const { resolution, note, resolvedBy, nowMs } = request;
    return { kind: "resolved", review: { resolution, note, resolvedBy, resolvedAt: new Date(nowMs) } };
  });
}

/** Returns false when the decision already has a review or an outcome. */
async function insertReview(
  client: TenantConnection,
  key: unknown[],
  request: ReviewRequest,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into reviews (workspace_id, mode, decision_id, resolution, note, resolved_by, resolved_at)
     select $1, $2, $3, $4, $5, $6, $7
     where not exists (select from outcomes where ${OF_DECISION})
     on conflict do nothing`,
    [
      ...key,
      REVIEW_RESOLUTIONS.indexOf(request.resolution),
      request.note,
      idToHex(request.resolvedBy),
      new Date(request.nowMs),
    ],
  );
  return rowCount === 1;
}

/** REV-5: stores the outcome of a rejected hold, which used no provider. */
async function insertBlocked(client: TenantConnection, key: unknown[], nowMs: number): Promise<void> {
  await client.query(
    `insert into outcomes (workspace_id, mode, decision_id, outcome, order_id, provider_reason_code, reported_at)
     select workspace_id, mode, decision_id, $4, order_id, $5, $6 from decisions where ${OF_DECISION}`,
    [...key, OUTCOMES.indexOf("blocked"), REJECTED_REASON, new Date(nowMs)],
  );
}

async function countReview(
  client: TenantConnection,
  key: unknown[],
  { decisionId, resolution }: ReviewRequest,
  merchantId: string,
): Promise<void> {
  const hour = Math.floor(idTimeMs(decisionId) / HOUR_MS);
  const unresolved = UNRESOLVED_COLUMNS[HOLD] as string;
  const blocked = OUTCOME_COLUMNS[OUTCOMES.indexOf("blocked")] as string;
  await client.query(
    `insert into rollup_deltas (workspace_id, mode, merchant_id, hour, ${unresolved}, ${blocked})
     values ($1, $2, $3, $4, -1, $5)`,
    [...key.slice(0, 2), merchantId, hour, resolution === "reject" ? 1 : null],
  );
  await client.query(
    `insert into facet_deltas (workspace_id, mode, hour, followed)
     select workspace_id, mode, $4, concat(
       facet_text(merchant_id, currency, country, payment_method, card_network, primary_provider), '|', action, ',',
       $5::smallint, ',,1')
     from decisions where ${OF_DECISION}`,
    [...key, hour, resolution === "reject" ? OUTCOMES.indexOf("blocked") : null],
  );
}
