import type { Pool } from "pg";
import type { ObservedPrice } from "../../../domain/pricing/observed-price.js";
import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import {
  CARD_NETWORKS,
  PAYMENT_METHODS,
  type CardNetwork,
  type PaymentMethod,
} from "../../../domain/vocabulary/vocabulary.js";
import type { Tenant, TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** A merchant whose fees are to be fitted. */
export interface FeeOwner {
  workspaceId: string;
  merchantId: string;
}

/** Lists every merchant with fees. After a start, nobody knows which fees have been fitted. */
export async function listFeeOwners(pool: Pool): Promise<FeeOwner[]> {
  const { rows } = await pool.query<{ workspace_id: string; merchant_id: string }>(
    `select workspace_id, merchant_id from merchants m
     where exists (select from observed_fees f
       where f.workspace_id = m.workspace_id and f.merchant_id = m.merchant_id)`,
  );
  return rows.map((row) => ({
    workspaceId: idFromHex("ws", row.workspace_id),
    merchantId: row.merchant_id,
  }));
}

/**
 * Fits a percentage and a fixed part to a merchant's newest fees by least squares. Fits are per provider, method and
 * currency, and within these by network, by country and by both. They run in PostgreSQL, where the fees are, so the
 * node gets only the result. The fixed part is rounded to a whole number of at least 0. The percentage is then fitted
 * again with that fixed part. If fees fall as amounts grow, their mean is the fixed part. The error is computed with
 * the rounded terms.
 */
const FIT = `
  with fees as (
    select provider, payment_method, card_network, country, currency,
           amount_minor::float8 as amount, fee_minor::float8 as fee
    from observed_fees where workspace_id = $1 and merchant_id = $2
    order by fee_id desc limit ${TUNING.observedFeesFitted}
  ), lines as (
    select provider, payment_method, currency, card_network, country,
           grouping(card_network) = 0 as by_network, grouping(country) = 0 as by_country,
           regr_slope(fee, amount) as slope, regr_intercept(fee, amount) as intercept,
           sum(fee * amount) as fee_amounts, sum(amount) as amounts, sum(amount * amount) as squares,
           avg(fee) as mean_fee
    from fees
    group by provider, payment_method, currency,
             grouping sets ((), (card_network), (country), (card_network, country))
    having count(*) >= ${LIMITS.observedFeesMin}
       and (grouping(card_network) = 1 or card_network is not null)
       and (grouping(country) = 1 or country is not null)
    order by count(*) desc limit ${LIMITS.observedPricesMax}
  ), fixed_parts as (
    select *, round(case when slope < 0 then mean_fee else greatest(0, coalesce(intercept, 0)) end) as fixed
    from lines
  ), terms as (
    select *, round((10000 * case when slope < 0 then 0
                     else greatest(0, least(1, (fee_amounts - fixed * amounts) / squares)) end)::numeric, 2) as bps
    from fixed_parts
  )
  select t.provider, t.payment_method, t.currency,
         case when by_network then t.card_network end as card_network,
         case when by_country then t.country end as country,
         bps::float8 as percentage_bps, fixed::float8 as fixed_minor, count(*)::int as sample_size,
         percentile_cont(0.5) within group (
           order by abs(f.fee - (f.amount * bps::float8 / 10000 + fixed)) / f.amount * 10000) as median_error_bps
  from terms t join fees f
    on f.provider = t.provider and f.payment_method = t.payment_method and f.currency = t.currency
   and (not by_network or f.card_network = t.card_network) and (not by_country or f.country = t.country)
  group by t.provider, t.payment_method, t.currency, t.card_network, t.country, by_network, by_country, bps, fixed
  order by t.provider, t.payment_method, t.currency, by_network, t.card_network, by_country, t.country`;

interface FitRow {
  provider: string;
  payment_method: number;
  currency: string;
  card_network: number | null;
  country: string | null;
  percentage_bps: number;
  fixed_minor: number;
  sample_size: number;
  median_error_bps: number;
}

/**
 * Fits a merchant's prices to its newest fees. Changed prices are stored as the merchant's next version. Resolves to
 * whether they changed. Only one fit per merchant runs at a time, on all nodes together.
 */
export async function refitObservedPrices(tenant: Tenant, owner: FeeOwner): Promise<boolean> {
  const key = [idToHex(owner.workspaceId), owner.merchantId];
  return tenant.transaction(async (client) => {
    await client.query(
      `insert into merchant_prices (workspace_id, merchant_id) values ($1, $2) on conflict do nothing`,
      key,
    );
    const head = await client.query<{ observed_version: number }>(
      `select observed_version from merchant_prices where workspace_id = $1 and merchant_id = $2 for update`,
      key,
    );
    const version = head.rows[0]?.observed_version ?? 0;
    const { rows } = await client.query<FitRow>(FIT, key);
    const prices = JSON.stringify(rows.map(priceOf));
    const last = await client.query<{ prices: string }>(
      `select prices::text as prices from observed_prices
       where workspace_id = $1 and merchant_id = $2 and version_number = $3`,
      [...key, version],
    );
    if (prices === (last.rows[0]?.prices ?? "[]")) return false;
    await client.query(
      `insert into observed_prices (workspace_id, merchant_id, version_number, prices) values ($1, $2, $3, $4)`,
      [...key, version + 1, prices],
    );
    await client.query(
      `update merchant_prices set observed_version = $3 where workspace_id = $1 and merchant_id = $2`,
      [...key, version + 1],
    );
    return true;
  });
}

/** Deletes fees beyond the newest ones that are fitted. Resolves to the number of deleted fees. */
export async function dropOldFees(db: TenantConnection, owner: FeeOwner): Promise<number> {
  const { rowCount } = await db.query(
    `delete from observed_fees where workspace_id = $1 and merchant_id = $2 and fee_id <
       (select fee_id from observed_fees where workspace_id = $1 and merchant_id = $2
        order by fee_id desc offset ${TUNING.observedFeesFitted - 1} limit 1)`,
    [idToHex(owner.workspaceId), owner.merchantId],
  );
  return rowCount ?? 0;
}

function priceOf(row: FitRow): ObservedPrice {
  return {
    provider: row.provider,
    payment_method: PAYMENT_METHODS[row.payment_method] as PaymentMethod,
    ...(row.card_network === null ? {} : { card_network: CARD_NETWORKS[row.card_network] as CardNetwork }),
    ...(row.country === null ? {} : { country: row.country }),
    currency: row.currency,
    percentage_bps: row.percentage_bps,
    fixed_minor: row.fixed_minor,
    sample_size: statedSamples(row.sample_size),
    median_error_bps: Math.round(row.median_error_bps * 100) / 100,
  };
}

/**
 * Rounds the number of samples down to two leading digits: 200 stays 200, and 199 becomes 190. Otherwise every new fee
 * would make a new version of an unchanged price.
 */
function statedSamples(samples: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(samples)) - 1);
  return Math.floor(samples / step) * step;
}
