import { previousOutcome } from "../../../domain/outcomes/normalize-outcome.js";
import type { PreviousAttempt } from "../../../domain/vocabulary/decision-request.js";
import type { Outcome } from "../../../domain/vocabulary/vocabulary.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import { inSpan, olderPart, type OlderSpan } from "../../decisions/service.js";
import { partsOf, type CountedRange } from "./counted-range.js";

/*
 * CH-15: counts the part of a range's cut first hour that only ClickHouse still has. PostgreSQL's queries count the rest
 * of these rows with HEAD, and whole hours from rollups.
 */

type Count = string | number;

function headOf(client: TenantConnection, range: CountedRange): OlderSpan | null {
  const { headStart, headEnd } = partsOf(range);
  return olderPart(client, range, { low: headStart, high: headEnd });
}

async function rowsOf<Row>(
  client: TenantConnection,
  range: CountedRange,
  sqlOf: (head: string) => string,
): Promise<Row[]> {
  const head = headOf(client, range);
  return head === null ? [] : head.older.rows<Row>(sqlOf(inSpan(head)));
}

const withOutcome = (columns: string, head: string): string =>
  `(select decision_id, ${columns} from decisions final where ${head}) d
   left join (select decision_id, outcome, provider_used from outcomes final where ${head}) o using (decision_id)`;

export interface HeadCount {
  action: number;
  decision_mode: number;
  outcome: number | null;
  number: Count;
}

export const countOlderHead = (client: TenantConnection, range: CountedRange): Promise<HeadCount[]> =>
  rowsOf(
    client,
    range,
    (head) => `select action, decision_mode, outcome, count() as number
      from ${withOutcome("action, decision_mode", head)} group by action, decision_mode, outcome`,
  );

export interface HeadProvider {
  provider: string;
  number: Count;
}

export const countOlderProviders = (client: TenantConnection, range: CountedRange): Promise<HeadProvider[]> =>
  rowsOf(
    client,
    range,
    (head) => `select toString(primary_provider) as provider, count() as number from decisions final
      where ${head} and primary_provider is not null group by provider`,
  );

export interface HeadLatency {
  unit: number;
  number: Count;
}

export const countOlderLatencies = (client: TenantConnection, range: CountedRange): Promise<HeadLatency[]> =>
  rowsOf(
    client,
    range,
    (head) =>
      `select latency_units as unit, count() as number from decisions final where ${head} group by unit`,
  );

export interface HeadCosts {
  currency: string;
  decision_mode: number;
  /** The number of decisions. */
  number: Count;
  cost_minor: Count;
  saved_dearest_minor: Count;
  first_decisions: Count;
  saved_first_minor: Count;
}

export const sumOlderCosts = (client: TenantConnection, range: CountedRange): Promise<HeadCosts[]> =>
  rowsOf(
    client,
    range,
    (head) => `select toString(d.currency) as currency, d.decision_mode as decision_mode, count() as number,
        sum(d.cost_minor) as cost_minor, sum(d.cost_dearest_minor - d.cost_minor) as saved_dearest_minor,
        count(d.cost_first_minor) as first_decisions, sum(ifNull(d.cost_first_minor - d.cost_minor, 0)) as saved_first_minor
      from (select * from decisions final where ${head} and cost_minor is not null) d
      group by d.currency, d.decision_mode`,
  );

/** Decisions that followed the same failure of a provider, and their reported outcome. */
export interface HeadRetries {
  provider: string;
  failedOutcome: Outcome;
  /** The provider that executed them. */
  used: string | null;
  outcome: number | null;
  number: Count;
}

interface RetryCount extends Omit<HeadRetries, "failedOutcome"> {
  previous: string;
  code: string | null;
}

const CODE =
  "JSONExtract(document, 'request', 'previous_attempt', 'provider_reason_code', 'Nullable(String)')";

/** Counts decisions that followed a failure, by reported outcome and by the provider that executed them. */
export async function countOlderRetries(
  client: TenantConnection,
  range: CountedRange,
): Promise<HeadRetries[]> {
  const of = (field: string): string =>
    `JSONExtractString(document, 'request', 'previous_attempt', '${field}')`;
  const rows = await rowsOf<RetryCount>(
    client,
    range,
    (head) => `select provider, previous, code, toString(provider_used) as used, outcome, count() as number
      from ${withOutcome(`${of("provider")} as provider, ${of("outcome")} as previous, ${CODE} as code`, head)}
      where provider <> '' group by provider, previous, code, used, outcome`,
  );
  return rows.map(({ previous, code, ...row }) => ({
    ...row,
    failedOutcome: previousOutcome({
      provider: row.provider,
      outcome: previous as PreviousAttempt["outcome"],
      ...(code === null ? {} : { provider_reason_code: code }),
    }),
  }));
}
