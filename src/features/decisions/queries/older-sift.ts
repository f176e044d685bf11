import type {
  DecisionFilter,
  DecisionScope,
  DecisionSieve,
} from "../../../domain/vocabulary/decision-scope.js";
import { OUTCOMES, RISK_BANDS } from "../../../domain/vocabulary/vocabulary.js";
import type { Direction } from "./id-spans.js";
import { completeRows, type OlderRow } from "./older-page.js";
import { inOrder, inSpan, olderConditions, ONCE, type OlderSpan } from "./older-rows.js";

/** LOG-27, CH-12: examines a bounded number of rows of the older log, as `findSiftedRows` does in PostgreSQL. */
export async function lookAtOlder(
  span: OlderSpan,
  scope: DecisionScope,
  { filter, sieve }: { filter: DecisionFilter; sieve: DecisionSieve },
  direction: Direction,
  limits: { looked: number; offset: number; rows: number },
): Promise<{ rows: OlderRow[]; passed: number; looked: number; last: string | null }> {
  const conditions = olderConditions(scope, filter, span);
  const passes = sieveConditions(sieve, span);
  const texts = { ...conditions.texts, ...passes.texts };
  const looked = `(select decision_id, amount_minor, risk_band, order_id from decisions where ${conditions.text}
    ${inOrder(direction)} ${ONCE} limit ${limits.looked})`;
  const farthest = direction === "older" ? "argMin" : "argMax";
  const [ends] = await span.older.rows<{ looked: string; passed: string; last: string }>(
    `select count() as looked, countIf(${passes.text}) as passed,
       toString(${farthest}(decision_id, toUInt128(decision_id))) as last from ${looked}`,
    texts,
  );
  const [number, passed] = [Number(ends?.looked ?? 0), Number(ends?.passed ?? 0)];
  if (number === 0) return { rows: [], passed: 0, looked: 0, last: null };
  const last = ends?.last ?? null;
  if (passed <= limits.offset || limits.rows === 0) return { rows: [], passed, looked: number, last };
  const found = await span.older.rows<{ id: string }>(
    `select toString(decision_id) as id from ${looked} where ${passes.text}
     ${inOrder(direction)} limit ${limits.rows} offset ${limits.offset}`,
    texts,
  );
  const rows = await completeRows(
    span,
    found.map(({ id }) => id),
  );
  return { rows, passed, looked: number, last };
}

function sieveConditions(
  { amountMin, amountMax, riskBand, outcome, orderStart }: DecisionSieve,
  span: OlderSpan,
): { text: string; texts: Record<string, string> } {
  const parts = ["1"];
  const texts: Record<string, string> = {};
  if (amountMin !== null) parts.push(`amount_minor >= ${amountMin}`);
  if (amountMax !== null) parts.push(`amount_minor <= ${amountMax}`);
  if (riskBand !== null) parts.push(`risk_band = ${RISK_BANDS.indexOf(riskBand)}`);
  if (outcome !== null) {
    parts.push(`decision_id in (
      select decision_id from outcomes final where ${inSpan(span)} and outcome = ${OUTCOMES.indexOf(outcome)})`);
  }
  if (orderStart !== null) {
    texts["order_start"] = orderStart;
    parts.push("startsWith(order_id, {order_start:String})");
  }
  return { text: parts.join(" and "), texts };
}
