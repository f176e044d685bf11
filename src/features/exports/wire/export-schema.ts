import type { FromSchema } from "json-schema-to-ts";
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportKind,
  ACTIONS,
  DECISION_MODES,
  MODES,
} from "../../../domain/vocabulary/vocabulary.js";
import { orderIdSchema } from "../../../platform/wire/scalars.js";
import { auditFilterParameters } from "../../audit/wire.js";
import { facetParameters } from "../../decisions/wire/facet-parameters.js";
import { sieveParameters } from "../../decisions/wire/sieve-parameters.js";

const moment = { type: "string", format: "iso-8601" } as const;
/**
 * EXP-2: the filters of the audit log. The filter by `action` is named `audit_action`, because decisions have a filter
 * `action` too.
 */
const FOR_AUDIT_LOG = "Only for kind audit_log.";
const auditFilterProperties = {
  // Exports of decisions have this filter too. `decisionFilterProperties` describes it.
  merchant_id: auditFilterParameters.merchant_id.schema,
  audit_action: { ...auditFilterParameters.action.schema, description: FOR_AUDIT_LOG },
  actor: { ...auditFilterParameters.actor.schema, description: FOR_AUDIT_LOG },
  resource: { ...auditFilterParameters.resource.schema, description: FOR_AUDIT_LOG },
  q: { ...auditFilterParameters.q.schema, description: FOR_AUDIT_LOG },
} as const;

const FOR_DECISIONS = "Only for kind decisions.";

/** EXP-2: the filters of the decision log. */
const decisionFilterProperties = {
  action: { type: "string", enum: ACTIONS, description: FOR_DECISIONS },
  decision_mode: { type: "string", enum: DECISION_MODES, description: FOR_DECISIONS },
  unresolved: { type: "boolean", description: FOR_DECISIONS },
  order_id: { ...orderIdSchema, description: FOR_DECISIONS },
  merchant_id: {
    ...facetParameters.merchant_id.schema,
    description: "Only for kind decisions or audit_log.",
  },
  currency: { ...facetParameters.currency.schema, description: FOR_DECISIONS },
  country: { ...facetParameters.country.schema, description: FOR_DECISIONS },
  payment_method: { ...facetParameters.payment_method.schema, description: FOR_DECISIONS },
  card_network: { ...facetParameters.card_network.schema, description: FOR_DECISIONS },
  provider: { ...facetParameters.provider.schema, description: FOR_DECISIONS },
  amount_min: { ...sieveParameters.amount_min.schema, description: `In minor units. ${FOR_DECISIONS}` },
  amount_max: {
    ...sieveParameters.amount_max.schema,
    description: `In minor units, and not below amount_min. ${FOR_DECISIONS}`,
  },
  risk_band: { ...sieveParameters.risk_band.schema, description: FOR_DECISIONS },
  outcome: { ...sieveParameters.outcome.schema, description: FOR_DECISIONS },
  reason_code: { ...sieveParameters.reason_code.schema, description: FOR_DECISIONS },
} as const;

export const exportFilterProperties = { ...auditFilterProperties, ...decisionFilterProperties } as const;

/** EXP-1, EXP-2: POST /v1/exports */
export const newExportSchema = {
  type: "object",
  additionalProperties: false,
  required: ["kind", "from", "to", "mode", "format"],
  properties: {
    kind: { type: "string", enum: EXPORT_KINDS },
    from: { ...moment, description: "Included. Usage counts whole months, UTC." },
    to: { ...moment, description: "Excluded, and after from. It may be in the future." },
    mode: { type: "string", enum: MODES, description: "The audit log has no mode, and ignores this." },
    format: { type: "string", enum: EXPORT_FORMATS },
    ...exportFilterProperties,
  },
} as const;

export type NewExportBody = FromSchema<typeof newExportSchema>;
export type ExportFilters = Pick<NewExportBody, keyof typeof exportFilterProperties>;
type FilterName = keyof ExportFilters;
export const FILTER_NAMES = Object.keys(exportFilterProperties) as FilterName[];
/** The filters that each kind accepts. */
export const KIND_FILTERS: Readonly<Partial<Record<ExportKind, readonly FilterName[]>>> = {
  decisions: Object.keys(decisionFilterProperties) as FilterName[],
  audit_log: Object.keys(auditFilterProperties) as FilterName[],
};
