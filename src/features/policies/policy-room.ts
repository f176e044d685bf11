import { idToHex } from "../../domain/ids/ids.js";
import { limitReached, type KeptLimits, type LimitReached } from "../../domain/vocabulary/kept-limits.js";
import { POLICY_STATUSES } from "../../domain/vocabulary/vocabulary.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

const ARCHIVED = POLICY_STATUSES.indexOf("archived");

export interface PolicyRoom {
  limits: KeptLimits;
  /**
   * True when archived versions may be deleted. Decisions name versions, so this is safe only once this node's
   * decisions are stored.
   */
  mayDrop: boolean;
}

/**
 * Returns null when the merchant may have one more policy. The merchant must be locked. POL-20: if there are too many,
 * the oldest archived versions are deleted, except those that a decision may name.
 */
export async function makePolicyRoom(
  client: TenantConnection,
  workspaceId: string,
  merchantId: string,
  { limits, mayDrop }: PolicyRoom,
): Promise<LimitReached | null> {
  const owner = [idToHex(workspaceId), merchantId];
  const { rows } = await client.query<{ kept: number }>(
    "select count(*)::int as kept from policies where workspace_id = $1 and merchant_id = $2",
    owner,
  );
  const kept = rows[0]?.kept ?? 0;
  const full = limitReached(limits, "policies", kept);
  if (full === null || !mayDrop) return full;
  const { rowCount } = await client.query(DROP_OLDEST, [...owner, kept - full.limit + 1]);
  return limitReached(limits, "policies", kept - (rowCount ?? 0));
}

/**
 * A version was live at some time between its creation and its archiving, and other nodes use it a few seconds longer.
 * If the rollups count decisions of the merchant in that time, one of them may name the version, so it stays. The
 * decisions themselves are checked only when that time is at most an hour: a year of a busy workspace would take longer
 * than a request may. The newest version stays, because the next version is numbered after it.
 */
const DROP_OLDEST = `
  delete from policies where workspace_id = $1 and policy_id in (
    select policy_id from (
      select policy_id, version_number, created_at as since, updated_at + interval '10 seconds' as until
      from policies
      where workspace_id = $1 and merchant_id = $2 and status = ${ARCHIVED} and version_number <
        (select max(version_number) from policies where workspace_id = $1 and merchant_id = $2)
    ) archived
    where not (
      exists (
        select from (
          select mode, hour from rollup_hours where workspace_id = $1 and merchant_id = $2
          union all select mode, hour from rollup_deltas where workspace_id = $1 and merchant_id = $2
        ) decided
        where mode in (0, 1) and hour between id_hour(ulid_floor(since)) and id_hour(ulid_floor(until))
      ) and (until - since > interval '1 hour' or exists (
        select from decisions
        where workspace_id = $1 and mode in (0, 1) and merchant_id = $2
          and decision_id >= ulid_floor(since) and decision_id < ulid_floor(until)
      ))
    )
    order by version_number limit $3)`;
