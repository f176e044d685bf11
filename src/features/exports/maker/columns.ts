import type { ExportKind } from "../../../domain/vocabulary/vocabulary.js";
import type { AuditEntryBody } from "../../audit/wire.js";
import type { DecisionListRow } from "../../decisions/wire/decision-log-schema.js";
import type { UsageReport } from "../../usage/wire.js";

/** `text` comes from people or other systems. `word` is an id or a word of the service. */
export type ColumnType = "text" | "word" | "integer" | "number" | "time";

/** A column of CSV and Parquet. */
export interface Column<Row = never> {
  name: string;
  type: ColumnType;
  of(row: Row): string | number | null;
}

type UsageRow = UsageReport["usage"][number];

/** A column that is one field of the row, unchanged. */
function field<Row>(name: keyof Row & string, type: ColumnType): Column<Row> {
  return { name, type, of: (row) => row[name] as string | number | null };
}

const decision = (name: keyof DecisionListRow, type: ColumnType) => field<DecisionListRow>(name, type);
/** A space separates the items, because no reason code contains one. */
const joined = (words: readonly string[]): string => words.join(" ");
/** The name of a rule may contain any character, so names are a JSON array. */
const listed = (names: readonly string[]): string => (names.length === 0 ? "" : JSON.stringify(names));

/** EXP-5: a row of the decision log, with the fields of its review and its outcome. */
export const DECISION_COLUMNS: readonly Column<DecisionListRow>[] = [
  decision("decision_id", "word"),
  decision("merchant_id", "text"),
  decision("order_id", "text"),
  decision("created_at", "time"),
  decision("mode", "word"),
  decision("decision_mode", "word"),
  decision("action", "word"),
  decision("primary_provider", "word"),
  decision("fallback_provider", "word"),
  decision("amount", "integer"),
  decision("amount_bucket", "word"),
  decision("currency", "word"),
  decision("country", "word"),
  decision("payment_method", "word"),
  decision("risk_score", "integer"),
  decision("risk_band", "word"),
  decision("provider_health_source", "word"),
  decision("decision_latency_ms", "number"),
  { name: "reason_codes", type: "text", of: ({ reason_codes }) => joined(reason_codes) },
  decision("model_version", "word"),
  { name: "matched_rules", type: "text", of: ({ matched_rules }) => listed(matched_rules) },
  { name: "review_resolution", type: "word", of: ({ review }) => review?.resolution ?? null },
  { name: "review_note", type: "text", of: ({ review }) => review?.note ?? null },
  { name: "review_resolved_by", type: "word", of: ({ review }) => review?.resolved_by ?? null },
  { name: "review_resolved_at", type: "time", of: ({ review }) => review?.resolved_at ?? null },
  { name: "outcome", type: "word", of: ({ outcome }) => outcome?.outcome ?? null },
  { name: "outcome_provider_used", type: "word", of: ({ outcome }) => outcome?.provider_used ?? null },
  {
    name: "outcome_provider_latency_ms",
    type: "number",
    of: ({ outcome }) => outcome?.provider_latency_ms ?? null,
  },
  { name: "outcome_failure_class", type: "word", of: ({ outcome }) => outcome?.failure_class ?? null },
];

export const AUDIT_COLUMNS: readonly Column<AuditEntryBody>[] = [
  field<AuditEntryBody>("audit_id", "word"),
  field<AuditEntryBody>("created_at", "time"),
  field<AuditEntryBody>("actor", "word"),
  field<AuditEntryBody>("action", "word"),
  field<AuditEntryBody>("resource", "text"),
  { name: "metadata", type: "text", of: ({ metadata }) => JSON.stringify(metadata) },
];

export const USAGE_COLUMNS: readonly Column<UsageRow>[] = [
  field<UsageRow>("month", "word"),
  field<UsageRow>("mode", "word"),
  field<UsageRow>("merchant_id", "text"),
  field<UsageRow>("decisions", "integer"),
  field<UsageRow>("shadow_decisions", "integer"),
];

/** The columns of each kind. The row types are left out, because each kind's source determines them. */
export const COLUMNS = {
  decisions: DECISION_COLUMNS,
  audit_log: AUDIT_COLUMNS,
  usage: USAGE_COLUMNS,
} as const satisfies Record<ExportKind, readonly Column[]>;
