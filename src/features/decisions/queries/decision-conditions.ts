import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  PAYMENT_METHODS,
} from "../../../domain/vocabulary/vocabulary.js";
import {
  hasFacet,
  type DecisionFilter,
  type DecisionScope,
} from "../../../domain/vocabulary/decision-scope.js";
import {
  ENFORCE_COLUMNS,
  SHADOW_COLUMNS,
  UNRESOLVED_COLUMNS,
} from "../../../path/writer/copy/rollup-columns.js";

/**
 * Returns the filters as SQL over `decisions d`. `textsParameter` is the parameter with `rowTexts`. Enum positions are
 * written out, so that the planner sees which partial index fits. Pass values of a request in `rowTexts`, never in this
 * text.
 */
export function rowConditions(scope: DecisionScope, filter: DecisionFilter, textsParameter: string): string {
  const conditions: string[] = [];
  if (scope.merchantScope !== null) conditions.push(`d.merchant_id = (${textsParameter}::text[])[1]`);
  // All facet filters share one SQL text, because a connection caches the plan of each text. An index on one of these
  // columns would not help.
  if (hasFacet(filter)) {
    for (const [at, column] of FACET_ROW_COLUMNS.entries()) {
      const text = `(${textsParameter}::text[])[${at + 2}]`;
      conditions.push(`(${text} is null or ${column} = ${text})`);
    }
  }
  if (filter.action !== null) conditions.push(`d.action = ${ACTIONS.indexOf(filter.action)}`);
  if (filter.decisionMode !== null) {
    conditions.push(`d.decision_mode = ${DECISION_MODES.indexOf(filter.decisionMode)}`);
  }
  if (filter.unresolved) {
    // Scalar subqueries stay look-ups by primary key. The planner could turn a join into a scan of all outcomes.
    conditions.push(`d.decision_mode = ${DECISION_MODES.indexOf("enforce")}
      and (select o.outcome from outcomes o
           where o.workspace_id = d.workspace_id and o.mode = d.mode and o.decision_id = d.decision_id) is null
      and (select r.resolution from reviews r
           where r.workspace_id = d.workspace_id and r.mode = d.mode and r.decision_id = d.decision_id) is null`);
  }
  return conditions.map((condition) => ` and ${condition}`).join("");
}

const FACET_ROW_COLUMNS = [
  "d.currency",
  "coalesce(d.country, '')",
  "coalesce(d.primary_provider, '')",
  "d.payment_method::text",
  "coalesce(d.card_network, -1)::text",
];

/** A network as facets store it: its position, or -1 for none. */
export function networkText(network: DecisionFilter["cardNetwork"]): string | null {
  if (network === null) return null;
  return String(network === "" ? -1 : CARD_NETWORKS.indexOf(network));
}

/**
 * The values that the conditions compare: first the merchant, then those for FACET_ROW_COLUMNS. Null matches every
 * value.
 */
export function rowTexts({ merchantScope }: DecisionScope, filter: DecisionFilter): (string | null)[] {
  const { currency, country, provider, paymentMethod, cardNetwork } = filter;
  return [
    merchantScope,
    currency,
    country,
    provider,
    paymentMethod === null ? null : String(PAYMENT_METHODS.indexOf(paymentMethod)),
    networkText(cardNetwork),
  ];
}

/**
 * The rollup columns whose sum counts the decisions that match a filter. The filter's time and order_id are ignored.
 */
export function countedColumns({ action, decisionMode, unresolved }: DecisionFilter): string[] {
  const families = [];
  if (unresolved) families.push(decisionMode === "shadow" ? [] : UNRESOLVED_COLUMNS);
  else {
    if (decisionMode !== "shadow") families.push(ENFORCE_COLUMNS);
    if (decisionMode !== "enforce") families.push(SHADOW_COLUMNS);
  }
  const columns = families.flatMap((family) =>
    action === null ? family : family.slice(ACTIONS.indexOf(action), ACTIONS.indexOf(action) + 1),
  );
  return columns;
}

/** Returns SQL that sums the columns within one row. Deltas have nulls. Without columns the sum is `0`. */
export function sumOf(columns: readonly string[]): string {
  return columns.length === 0 ? "0" : columns.map((column) => `coalesce(${column}, 0)`).join(" + ");
}
