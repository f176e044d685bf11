import type { Pool } from "pg";
import { statusesAt, type ContractStatus } from "../../../domain/pricing/contracts-in-effect.js";
import { segmentName } from "../../../domain/pricing/check-rules.js";
import type { ObservedPrice } from "../../../domain/pricing/observed-price.js";
import type { PricingContract, PricingRule } from "../../../domain/pricing/pricing-contract.js";
import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { limitReached, type KeptLimits, type LimitReached } from "../../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { type AuditAuthor, insertAuditEntry } from "../../audit/service.js";
import type { PriceVersion } from "../../../domain/pricing/merchant-pricing.js";
import type { AnyConnection, Tenant, TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** The values from which a new contract is stored. */
export interface ContractToStore {
  /** `prc_…` */
  contractId: string;
  name: string;
  /** Unix milliseconds. */
  fromMs: number;
  toMs: number | null;
  replace: boolean;
  rules: readonly PricingRule[];
}

/** A contract with the fields that the API shows besides its terms. */
export interface StoredContract extends PricingContract {
  name: string;
  status: ContractStatus;
  createdAt: Date;
}

export type InsertedContract =
  /**
   * `overriding`: the number of rules that take precedence over rules of another contract in effect at the same time.
   */
  | { kind: "stored"; overriding: number }
  | { kind: "unknown_merchant" }
  /** More than LIMITS.pricingRulesLiveMax rules would be in effect or scheduled. */
  | { kind: "too_many_rules" }
  | LimitReached;

const COLUMNS =
  "contract_id, version_number, name, effective_from, effective_to, replaces_earlier, created_at, rules";

interface ContractRow {
  contract_id: string;
  version_number: number;
  name: string;
  effective_from: Date;
  effective_to: Date | null;
  replaces_earlier: boolean;
  created_at: Date;
  rules: PricingRule[];
}

/** Stores a contract as the merchant's next version, with an audit entry. */
export async function insertContract(
  tenant: Tenant,
  workspaceId: string,
  merchantId: string,
  contract: ContractToStore,
  author: AuditAuthor,
  nowMs: number,
  limits: KeptLimits,
): Promise<InsertedContract> {
  const owner = [idToHex(workspaceId), merchantId];
  return tenant.transaction(async (client) => {
    // The lock serialises the uploads of one merchant.
    const merchant = await client.query(
      `select from merchants where workspace_id = $1 and merchant_id = $2 for no key update`,
      owner,
    );
    if (merchant.rowCount !== 1) return { kind: "unknown_merchant" };
    const { rows } = await client.query<{ next: number; kept: number }>(
      `select coalesce(max(version_number), 0) + 1 as next, count(*)::int as kept from pricing_contracts
       where workspace_id = $1 and merchant_id = $2`,
      owner,
    );
    const version = rows[0]?.next ?? 1;
    const full = limitReached(limits, "contracts", rows[0]?.kept ?? 0);
    if (full !== null) return full;
    const earlier = await liveContracts(client, workspaceId, merchantId, nowMs);
    // If the new contract begins later, the contracts that it replaces count until then.
    const remaining = contract.replace && contract.fromMs <= nowMs ? [] : earlier;
    const rulesLive = remaining.reduce((sum, { rules }) => sum + rules.length, contract.rules.length);
    if (rulesLive > LIMITS.pricingRulesLiveMax) return { kind: "too_many_rules" };
    await client.query(
      `insert into pricing_contracts (workspace_id, merchant_id, version_number, contract_id, name,
                                      effective_from, effective_to, replaces_earlier, rules_stored, rules)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...owner,
        version,
        idToHex(contract.contractId),
        contract.name,
        new Date(contract.fromMs),
        contract.toMs === null ? null : new Date(contract.toMs),
        contract.replace,
        contract.rules.length,
        JSON.stringify(contract.rules),
      ],
    );
    await client.query(
      `insert into merchant_prices (workspace_id, merchant_id, contract_version) values ($1, $2, $3)
       on conflict (workspace_id, merchant_id) do update set contract_version = excluded.contract_version`,
      [...owner, version],
    );
    await insertAuditEntry(client, {
      ...author,
      workspaceId,
      action: "pricing_contract.uploaded",
      resource: contract.contractId,
      metadata: {
        merchant_id: merchantId,
        version: `v${version}`,
        rules_stored: String(contract.rules.length),
        replace: String(contract.replace),
      },
    });
    return { kind: "stored", overriding: contract.replace ? 0 : countOverriding(contract, earlier) };
  });
}

function countOverriding(contract: ContractToStore, earlier: readonly PricingContract[]): number {
  const earlierSegments = new Set(
    earlier
      .filter(
        ({ from_ms, to_ms }) =>
          (contract.toMs === null || from_ms < contract.toMs) && (to_ms === null || contract.fromMs < to_ms),
      )
      .flatMap(({ rules }) => rules.map(segmentName)),
  );
  return contract.rules.filter((rule) => earlierSegments.has(segmentName(rule))).length;
}

/** Lists a merchant's contracts that are in effect at `nowMs` or scheduled, oldest first. */
async function liveContracts(
  db: TenantConnection,
  workspaceId: string,
  merchantId: string,
  nowMs: number,
): Promise<StoredContract[]> {
  const { rows } = await db.query<ContractRow>(
    `select ${COLUMNS} from pricing_contracts c
     where workspace_id = $1 and merchant_id = $2 and (effective_to is null or effective_to > $3)
       and not exists (select from pricing_contracts r
         where r.workspace_id = c.workspace_id and r.merchant_id = c.merchant_id and r.replaces_earlier
           and r.version_number > c.version_number and r.effective_from <= $3)
     order by version_number`,
    [idToHex(workspaceId), merchantId, new Date(nowMs)],
  );
  return contractsOf(rows, nowMs);
}

/** Returns the observed prices of a version. Version 0 has none. */
async function observedPrices(
  db: AnyConnection,
  workspaceId: string,
  merchantId: string,
  version: number,
): Promise<ObservedPrice[]> {
  if (version === 0) return [];
  const { rows } = await db.query<{ prices: ObservedPrice[] }>(
    `select prices from observed_prices where workspace_id = $1 and merchant_id = $2 and version_number = $3`,
    [idToHex(workspaceId), merchantId, version],
  );
  return rows[0]?.prices ?? [];
}

/** Finds what GET /v1/pricing/rules/:merchantId shows. Returns null when the workspace has no such merchant. */
export async function findLivePrices(
  tenant: Tenant,
  workspaceId: string,
  merchantId: string,
  nowMs: number,
): Promise<{ contracts: StoredContract[]; observed: ObservedPrice[] } | null> {
  return tenant.transaction(async (client) => {
    const { rows } = await client.query<{ observed_version: number | null }>(
      `select p.observed_version from merchants m left join merchant_prices p
           on p.workspace_id = m.workspace_id and p.merchant_id = m.merchant_id
         where m.workspace_id = $1 and m.merchant_id = $2`,
      [idToHex(workspaceId), merchantId],
    );
    const head = rows[0];
    if (head === undefined) return null;
    return {
      contracts: await liveContracts(client, workspaceId, merchantId, nowMs),
      observed: await observedPrices(client, workspaceId, merchantId, head.observed_version ?? 0),
    };
  }, "begin isolation level repeatable read read only");
}

/** The versions of one merchant's prices. */
export interface PriceVersions extends PriceVersion {
  workspaceId: string;
  merchantId: string;
}

/**
 * Loads the contracts up to `contractVersion` that decisions at or after `sinceMs` can use, and the observed prices of
 * `observedVersion`.
 */
export async function loadPrices(
  pool: Pool,
  { workspaceId, merchantId, contractVersion, observedVersion }: PriceVersions,
  sinceMs: number,
): Promise<{ contracts: PricingContract[]; observed: ObservedPrice[] }> {
  const { rows } = await pool.query<ContractRow>(
    `select ${COLUMNS} from pricing_contracts
     where workspace_id = $1 and merchant_id = $2 and version_number <= $3
       and (effective_to is null or effective_to > $4)
       and version_number >= (select coalesce(max(version_number), 0) from pricing_contracts
         where workspace_id = $1 and merchant_id = $2 and version_number <= $3
           and replaces_earlier and effective_from <= $4)
     order by version_number`,
    [idToHex(workspaceId), merchantId, contractVersion, new Date(sinceMs)],
  );
  return {
    contracts: rows.map(termsOf),
    observed: await observedPrices(pool, workspaceId, merchantId, observedVersion),
  };
}

function contractsOf(rows: readonly ContractRow[], nowMs: number): StoredContract[] {
  const terms = rows.map(termsOf);
  const statuses = statusesAt(terms, nowMs);
  return rows.map((row, position) => ({
    ...(terms[position] as PricingContract),
    name: row.name,
    status: statuses[position] as ContractStatus,
    createdAt: row.created_at,
  }));
}

function termsOf(row: ContractRow): PricingContract {
  return {
    contract_id: idFromHex("prc", row.contract_id),
    version: row.version_number,
    from_ms: row.effective_from.getTime(),
    to_ms: row.effective_to === null ? null : row.effective_to.getTime(),
    replace: row.replaces_earlier,
    rules: row.rules,
  };
}
