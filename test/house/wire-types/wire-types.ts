import { newApiKeySchema } from "../../../src/features/api-keys/wire/api-key-schema.js";
import { exportSchema } from "../../../src/features/exports/wire/export-response-schema.js";
import { erasureSchema } from "../../../src/features/erasures/wire/erasure-response-schema.js";
import { newExportSchema } from "../../../src/features/exports/wire/export-schema.js";
import { savedViewSchema } from "../../../src/features/saved-views/wire/saved-view-response-schema.js";
import {
  newSavedViewSchema,
  savedViewChangesSchema,
} from "../../../src/features/saved-views/wire/saved-view-schema.js";
import { auditLogSchema } from "../../../src/features/audit/wire.js";
import { groupsSchema } from "../../../src/features/analytics/wire/group-response-schema.js";
import {
  analyticsSummarySchema,
  costReportSchema,
  retryReportSchema,
} from "../../../src/features/analytics/wire/summary-response-schema.js";
import { decisionOperations } from "../../../src/features/decisions/operations.js";
import { replaySchema } from "../../../src/features/decisions/wire/decision-report-schema.js";
import {
  conditionEvaluationSchema,
  nestedConditionSchema,
  ruleEvaluationsSchema,
} from "../../../src/features/decisions/wire/rule-evaluation-schema.js";
import { storedRequestSchema } from "../../../src/features/decisions/wire/decision-detail-schema.js";
import { componentNames } from "../../../src/features/docs/component-names.js";
import { requestSchemas } from "../../../src/features/docs/request-schemas.js";
import { newEventEndpointSchema } from "../../../src/features/events/wire/event-endpoint-schema.js";
import { failureClassSchema } from "../../../src/features/outcomes/wire/outcome-response-schema.js";
import {
  drillFiguresSchema,
  drillSchema,
} from "../../../src/features/overrides/wire/drill-history-response-schema.js";
import { providerOverridesSchema } from "../../../src/features/overrides/wire/override-response-schema.js";
import { backtestResultSchema } from "../../../src/features/policies/wire/backtest-response-schema.js";
import {
  ruleActionSchema,
  storedConditionsSchema,
  storedRuleSchema,
} from "../../../src/features/policies/wire/policy-response-schema.js";
import { policyTranslateSchema } from "../../../src/features/policies/wire/policy-translate-schema.js";
import { translationSchema } from "../../../src/features/policies/wire/policy-trial-response-schema.js";
import { merchantPricesSchema } from "../../../src/features/pricing/wire/pricing-response-schema.js";
import { usageReportSchema } from "../../../src/features/usage/wire.js";
import { integrationListSchema } from "../../../src/features/webhooks/wire/integration-response-schema.js";
import { workspaceChangesSchema } from "../../../src/features/workspaces/wire/workspace-schema.js";
import { riskSignalsSchema, transactionSchema } from "../../../src/path/wire/decision-schema.js";
import { costSchema } from "../../../src/path/wire/decision-response-schema.js";
import type { JsonSchema } from "../../../src/platform/wire/body-validator.js";
import type { Operation } from "../../../src/platform/wire/operation.js";
import { typeFile, type KnownType, type KnownTypes, type TypeFile } from "./type-file.js";
import { OPEN_SET } from "./type-text.js";

const VOCABULARY = "src/domain/vocabulary/vocabulary.ts";
const REQUEST = "src/domain/vocabulary/decision-request.ts";
const POLICY = "src/domain/policy/policy.ts";

/** A placeholder for the provider ids of a deployment. */
const PROVIDERS = ["any_provider"];
const requests = requestSchemas(PROVIDERS);
const components = componentNames(requests);

/**
 * The client's names for types that it names differently from the document, because requests and answers would share a
 * name.
 */
const RENAMED: Readonly<Record<string, string>> = {
  Decision: "ServiceDecision",
  DecisionList: "DecisionPage",
  Rule: "RuleDraft",
  RuleAction: "RuleActionDraft",
};

/**
 * Types that the domain declares itself. component-schemas.test.ts and path/wire/decision-schema.ts compare them with
 * the schemas.
 */
const OF_DOMAIN: readonly [JsonSchema, KnownType][] = [
  [requests.decision, { name: "DecisionRequest", from: REQUEST }],
  [storedRequestSchema, { name: "DecisionRequest", from: REQUEST }],
  [transactionSchema, { name: "Transaction", from: REQUEST }],
  [riskSignalsSchema, { name: "RiskSignals", from: REQUEST }],
  [requests.conditions, { name: "Conditions", from: POLICY }],
  [storedConditionsSchema, { name: "Conditions", from: POLICY }],
  [storedRuleSchema, { name: "Rule", from: POLICY }],
  [ruleActionSchema, { name: "RuleAction", from: POLICY }],
];

/** Schemas that the document spells out, but that a reader of the client wants by name. */
const PARTS_OF_CLIENT: Readonly<Record<string, JsonSchema>> = {
  DecisionListQuery: queryOf(decisionOperations(requests.decision)["GET /v1/decisions"]),
  TranslationRequest: policyTranslateSchema,
  PricingSource: costSchema.properties.pricing_source,
  FailureClass: failureClassSchema,
  ReplayDifference: replaySchema.properties.differences.items,
  RuleEvaluation: ruleEvaluationsSchema.items,
  FieldEvaluation: conditionEvaluationSchema.anyOf[0],
  GroupEvaluation: conditionEvaluationSchema.anyOf[1],
};

const PARTS_OF_DASHBOARD: Readonly<Record<string, JsonSchema>> = {
  NewApiKey: newApiKeySchema,
  NewEventEndpoint: newEventEndpointSchema,
  WorkspaceChanges: workspaceChangesSchema,
  Integration: integrationListSchema.properties.integrations.items,
  Export: exportSchema,
  Erasure: erasureSchema,
  SavedView: savedViewSchema,
  NewSavedView: newSavedViewSchema,
  SavedViewChanges: savedViewChangesSchema,
  NewExport: newExportSchema,
  AuditEntry: auditLogSchema.properties.entries.items,
  PastDrill: drillSchema,
  DrillFigures: drillFiguresSchema,
  Pin: providerOverridesSchema.properties.overrides.items,
  UsageRow: usageReportSchema.properties.usage.items,
  ActionCount: backtestResultSchema.properties.by_action_before.items,
  ChangedDecision: backtestResultSchema.properties.changed_decisions.items,
  SeriesPoint: analyticsSummarySchema.properties.series.items,
  AnalyticsGroup: groupsSchema.items,
  CostReport: costReportSchema,
  CurrencyCost: costReportSchema.properties.by_currency.items,
  RetryReport: retryReportSchema,
  FailureRecovery: retryReportSchema.properties.by_failure.items,
  PricingContract: merchantPricesSchema.properties.contracts.items,
  ObservedPrice: merchantPricesSchema.properties.observed.items,
};

/** The bodies that the client's methods accept and return. Types that they refer to are added. */
const CLIENT_BODIES = [
  "Decision",
  "OutcomeReport",
  "OutcomeReceipt",
  "ProviderHealthList",
  "DecisionList",
  "DecisionDetail",
  "DecisionAggregate",
  "ShadowReport",
  "Replay",
  "PolicyList",
  "NewPolicy",
  "CreatedPolicy",
  "PublishedPolicy",
  "Translation",
  "SimulationRequest",
  "Simulation",
  "RetryRuleList",
  "PolicyTemplateList",
  "ValidationIssue",
  "PolicyIssue",
];

/** The bodies that only the dashboard's pages need. */
const DASHBOARD_BODIES = [
  "Account",
  "SessionList",
  "PasswordReset",
  "EmailState",
  "OneTimeCodes",
  "OneTimeCodeSecret",
  "RecoveryCodes",
  "Team",
  "ApiKey",
  "RotatedSecret",
  "Merchant",
  "AuditLog",
  "RequestLog",
  "ExportList",
  "SavedViewList",
  "ProviderOverrides",
  "DrillHistory",
  "Tenant",
  "SetAsideList",
  "SetAsideDetail",
  "BacktestLine",
  "BacktestResult",
  "AnalyticsSummary",
  "Alert",
  "MerchantPrices",
  "StoredContract",
  "NewPricingContract",
  "CreatedEventEndpoint",
  "EventEndpointList",
  "EventDeliveryList",
  "ReviewResults",
];

/** The generated files. `vocabulary` maps each type of the vocabulary to its list of values. */
export function wireTypes(vocabulary: ReadonlyMap<string, readonly string[]>): TypeFile[] {
  const values: KnownTypes["values"] = [
    { name: OPEN_SET, from: REQUEST, list: PROVIDERS },
    ...[...vocabulary].map(([name, list]) => ({ name, from: VOCABULARY, list })),
  ];
  const named = new Map<JsonSchema, KnownType>([
    ...Object.entries(components).map(([name, schema]) => known(schema, RENAMED[name] ?? name)),
    ...Object.entries(PARTS_OF_CLIENT).map(([name, schema]) => known(schema, name)),
    ...OF_DOMAIN,
    // The schemas around these two declare any object in their place.
    known(nestedConditionSchema, "ConditionEvaluation"),
    known(
      translationSchema.properties.draft.anyOf[0].properties.rules.items.properties.then,
      "RuleActionDraft",
    ),
  ]);
  const bodies = (names: readonly string[]): JsonSchema[] =>
    names.map((name) => components[name] as JsonSchema);

  const ofClient = typeFile(
    "src/client/wire-types.ts",
    [...bodies(CLIENT_BODIES), ...Object.values(PARTS_OF_CLIENT)],
    { schemas: named, values: [...values, pricingSources()] },
  );
  const ofDashboard = typeFile(
    "src/dashboard/api/wire-types.ts",
    [...bodies(DASHBOARD_BODIES), ...Object.values(PARTS_OF_DASHBOARD)],
    {
      schemas: new Map<JsonSchema, KnownType>([
        ...named,
        ...Object.entries(PARTS_OF_DASHBOARD).map(([name, schema]) => known(schema, name)),
        ...ofClient.schemas,
      ]),
      values,
    },
  );
  return [ofClient, ofDashboard];
}

/** The client imports no type from the pricing domain, so this list of values gets a named type. */
function pricingSources(): KnownTypes["values"][number] {
  return { name: "PricingSource", from: null, list: costSchema.properties.pricing_source.enum };
}

function known(schema: JsonSchema, name: string): [JsonSchema, KnownType] {
  return [schema, { name, from: null }];
}

/** An operation's query parameters as one object schema. */
function queryOf(operation: Operation | undefined): JsonSchema {
  const parameters = Object.entries(operation?.query ?? {});
  return {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(([name, { schema, description }]) => [name, { ...schema, description }]),
    ),
  };
}
