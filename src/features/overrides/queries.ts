import type { Pool } from "pg";
import {
  putOverride,
  unexpiredOverrides,
  type OverrideChange,
  type ProviderOverride,
} from "../../domain/health/provider-override.js";
import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { HealthState, Mode, PaymentMethod } from "../../domain/vocabulary/vocabulary.js";
import { insertAuditEntry, type AuditAuthor } from "../audit/service.js";
import { columnsAfter, type RecordKey } from "../../path/changes/copied-records.js";
import type { Tenant } from "../../platform/postgres/tenant-db.js";

/** A pin as it is stored and shown. Its provider is a column of the row. */
export interface StoredOverride {
  state: HealthState;
  score: number;
  /** Null matches every payment method. */
  payment_method: PaymentMethod | null;
  currency: string | null;
  /** Absent if the pin applies in both modes. */
  mode?: Mode;
  /** ISO 8601. Absent if the pin has no expiry. */
  expires_at?: string;
}

/**
 * Sets or lifts a pin, with an audit entry. Resolves to the provider's current pins, oldest first. Changes of one
 * workspace to one provider are serialised.
 */
export async function changeOverride(
  tenant: Tenant,
  workspaceId: string,
  change: OverrideChange,
  author: AuditAuthor,
  nowMs: number,
): Promise<StoredOverride[]> {
  const key = [idToHex(workspaceId), change.provider];
  return tenant.transaction(async (client) => {
    // The row must exist to be locked.
    await client.query(
      `insert into provider_overrides (workspace_id, provider, overrides) values ($1, $2, '[]') on conflict do nothing`,
      key,
    );
    const { rows } = await client.query<{ overrides: StoredOverride[] }>(
      `select overrides from provider_overrides where workspace_id = $1 and provider = $2 for update`,
      key,
    );
    const before = (rows[0]?.overrides ?? []).map((stored) => toOverride(change.provider, stored));
    const after = putOverride(unexpiredOverrides(before, nowMs), change).map(toStored);
    await (after.length === 0
      ? client.query(`delete from provider_overrides where workspace_id = $1 and provider = $2`, key)
      : client.query(
          `update provider_overrides set overrides = $3, updated_at = now() where workspace_id = $1 and provider = $2`,
          [...key, JSON.stringify(after)],
        ));
    await insertAuditEntry(client, {
      ...author,
      workspaceId,
      action: change.state === null ? "provider_override.lifted" : "provider_override.set",
      resource: change.provider,
      metadata: {
        state: change.state,
        ...(change.score === undefined ? {} : { score: change.score }),
        payment_method: change.paymentMethod,
        currency: change.currency,
        ...(change.mode === undefined ? {} : { mode: change.mode }),
        ...(change.expiresAtMs === undefined ? {} : { expires_at: isoTime(change.expiresAtMs) }),
      },
    });
    return after;
  });
}

export interface WorkspacePins {
  workspaceId: string;
  overrides: ProviderOverride[];
}

/** Loads the pins of these workspaces. Workspaces without pins are left out. */
export async function loadPins(pool: Pool, workspaceIds: readonly string[]): Promise<WorkspacePins[]> {
  const { rows } = await pool.query<{ workspace_id: string; provider: string; overrides: StoredOverride[] }>({
    name: "load_pins",
    text: `select workspace_id, provider, overrides from provider_overrides
           where workspace_id = any($1::uuid[]) order by workspace_id, provider`,
    values: [workspaceIds.map(idToHex)],
  });
  const pins: WorkspacePins[] = [];
  for (const { workspace_id: hex, provider, overrides } of rows) {
    const workspaceId = idFromHex("ws", hex);
    let last = pins.at(-1);
    if (last?.workspaceId !== workspaceId) pins.push((last = { workspaceId, overrides: [] }));
    last.overrides.push(...overrides.map((stored) => toOverride(provider, stored)));
  }
  return pins;
}

/** Lists the next workspaces with pins after the given workspace, by id. */
export async function listPinKeys(pool: Pool, after: RecordKey | null, limit: number): Promise<RecordKey[]> {
  const { rows } = await pool.query<{ workspace_id: string }>({
    name: "list_pin_keys",
    text: `select distinct workspace_id from provider_overrides where workspace_id > $1::uuid
           order by workspace_id limit $2`,
    values: [columnsAfter(after)[0], limit],
  });
  return rows.map(({ workspace_id }) => ({ workspaceId: idFromHex("ws", workspace_id), key: "" }));
}

function toOverride(provider: string, stored: StoredOverride): ProviderOverride {
  const { state, score, payment_method: paymentMethod, currency, mode, expires_at } = stored;
  return {
    provider,
    paymentMethod,
    currency,
    state,
    score,
    ...(mode === undefined ? {} : { mode }),
    ...(expires_at === undefined ? {} : { expiresAtMs: Date.parse(expires_at) }),
  };
}

function toStored(override: ProviderOverride): StoredOverride {
  const { state, score, paymentMethod, currency, mode, expiresAtMs } = override;
  return {
    state,
    score,
    payment_method: paymentMethod,
    currency,
    ...(mode === undefined ? {} : { mode }),
    ...(expiresAtMs === undefined ? {} : { expires_at: isoTime(expiresAtMs) }),
  };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
