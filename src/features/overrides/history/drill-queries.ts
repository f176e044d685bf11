import { idFromHex, idTimeMs, idToHex } from "../../../domain/ids/ids.js";
import type { DrillEnding, HealthState, Mode, PaymentMethod } from "../../../domain/vocabulary/vocabulary.js";
import type { AskedPage } from "../../../platform/http/page-query.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** A drill, reconstructed from the audit log. */
export interface FoundDrill {
  /** `aud_…` */
  drillId: string;
  provider: string;
  state: HealthState;
  paymentMethod: PaymentMethod | null;
  currency: string | null;
  mode: Mode | "both";
  startedMs: number;
  /** `usr_…` */
  startedBy: string;
  expiresMs: number | null;
  /** Null while the drill is active. */
  end: DrillEnd | null;
}

interface DrillEnd {
  atMs: number;
  /** Null if the drill expired. */
  by: string | null;
  ending: DrillEnding;
}

export type DrillPage = Omit<AskedPage, "isWhole"> & { mode: Mode };

const LIFTED = "provider_override.lifted";

/** Selects the drills that applied in a mode. A drill without a mode applied in both. */
const DRILLS = `workspace_id = $1 and action = 'provider_override.set'
  and coalesce(metadata ->> 'mode', $2) = $2`;

/**
 * ALRT-10, ALRT-19: selects the first later change that ended a drill. A new drill whose scope covers the old one
 * replaces it. Lifting ends the drill with exactly the same scope. Changes after the drill's expiry are ignored.
 */
const FIRST_END = `
  select audit_id, actor, action from audit_log
  where workspace_id = $1 and resource collate "C" = drill.resource and audit_id > drill.audit_id
    and audit_id < coalesce(ulid_floor((drill.metadata ->> 'expires_at')::timestamptz), max_id)
    and (
      (action = '${LIFTED}'
        and metadata ->> 'payment_method' is not distinct from drill.metadata ->> 'payment_method'
        and metadata ->> 'currency' is not distinct from drill.metadata ->> 'currency'
        and metadata ->> 'mode' is not distinct from drill.metadata ->> 'mode')
      or (action = 'provider_override.set'
        and coalesce(metadata ->> 'payment_method' = drill.metadata ->> 'payment_method',
          metadata ->> 'payment_method' is null)
        and coalesce(metadata ->> 'currency' = drill.metadata ->> 'currency', metadata ->> 'currency' is null)
        and coalesce(metadata ->> 'mode' = drill.metadata ->> 'mode', metadata ->> 'mode' is null))
    )
  order by audit_id limit 1`;

/** The page is empty when no drill of the mode has the cursor's id (LIST-3). */
export async function listDrills(
  db: TenantConnection,
  { pageSize, cursor, mode }: DrillPage,
  nowMs: number,
): Promise<{ drills: FoundDrill[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<DrillRow>(
    `select drill.*, ended.audit_id as end_id, ended.actor as end_actor, ended.action as end_action
     from (
       select audit_id, actor, resource, metadata, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid as max_id
       from audit_log
       where ${DRILLS} and ($3::uuid is null or (
         audit_id ${newer ? ">" : "<"} $3 and exists (select from audit_log where ${DRILLS} and audit_id = $3)
       ))
       order by audit_id ${newer ? "asc" : "desc"} limit $4
     ) drill left join lateral (${FIRST_END}) ended on true
     order by drill.audit_id desc`,
    [idToHex(db.workspaceId), mode, cursor === null ? null : idToHex(cursor.id), pageSize + 1],
  );
  const hasMore = rows.length > pageSize;
  const shown = hasMore && newer ? rows.slice(1) : rows.slice(0, pageSize);
  return { drills: shown.map((row) => drillOf(row, nowMs)), hasMore };
}

interface DrillRow {
  audit_id: string;
  actor: string;
  resource: string;
  metadata: {
    state: HealthState;
    payment_method: PaymentMethod | null;
    currency: string | null;
    mode?: Mode;
    expires_at?: string;
  };
  end_id: string | null;
  end_actor: string | null;
  end_action: string | null;
}

function drillOf(row: DrillRow, nowMs: number): FoundDrill {
  const { state, payment_method: paymentMethod, currency, mode = "both", expires_at } = row.metadata;
  const drillId = idFromHex("aud", row.audit_id);
  const expiresMs = expires_at === undefined ? null : Date.parse(expires_at);
  return {
    drillId,
    provider: row.resource,
    state,
    paymentMethod,
    currency,
    mode,
    startedMs: idTimeMs(drillId),
    startedBy: row.actor,
    expiresMs,
    end: endOf(row, expiresMs, nowMs),
  };
}

function endOf(row: DrillRow, expiresMs: number | null, nowMs: number): DrillEnd | null {
  if (row.end_id !== null) {
    const ending = row.end_action === LIFTED ? "lifted" : "replaced";
    return { atMs: idTimeMs(idFromHex("aud", row.end_id)), by: row.end_actor, ending };
  }
  return expiresMs === null || expiresMs > nowMs ? null : { atMs: expiresMs, by: null, ending: "expired" };
}
