import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FromSchema } from "json-schema-to-ts";
import type * as client from "payinference/client";
import type { BacktestReport } from "../../../src/actors/messages.js";
import { componentNames } from "../../../src/api/openapi/component-names.js";
import { requestSchemas } from "../../../src/api/openapi/request-schemas.js";
import type {
  backtestProgressSchema,
  backtestResultSchema,
} from "../../../src/api/response/backtest-response-schema.js";
import type { decisionListSchema } from "../../../src/api/response/decision-log-schema.js";
import type { decisionDetailSchema } from "../../../src/api/response/decision-detail-schema.js";
import type {
  decisionAggregateSchema,
  replaySchema,
  shadowReportSchema,
} from "../../../src/api/response/decision-report-schema.js";
import type { analyticsSummarySchema } from "../../../src/api/response/analytics-response-schema.js";
import type { decisionResponseSchema } from "../../../src/api/response/decision-response-schema.js";
import type { policyIssueSchema, validationIssueSchema } from "../../../src/api/response/error-schema.js";
import type { healthSnapshotSchema } from "../../../src/api/response/health-response-schema.js";
import type { outcomeReceiptSchema } from "../../../src/api/response/outcome-response-schema.js";
import type { policySchema } from "../../../src/api/response/policy-response-schema.js";
import type { simulationSchema } from "../../../src/api/response/policy-trial-response-schema.js";
import type { translationSchema } from "../../../src/api/response/policy-trial-response-schema.js";
import type { usageReportSchema } from "../../../src/api/response/administration-response-schema.js";
import type { PolicyIssue, ValidationIssue } from "../../../src/api/validation-issue.js";
import type { Replay } from "../../../src/decision/replay.js";
import type { DecisionResponse } from "../../../src/decision/response.js";
import type { Simulation } from "../../../src/decision/simulation.js";
import type { HealthSnapshot } from "../../../src/health/snapshot.js";
import type { Policy } from "../../../src/policy/policy.js";
import type * as dashboard from "../../../src/dashboard/api/wire-figures.js";
import type { AnalyticsSummary } from "../../../src/read/analytics-summary.js";
import type { DecisionAggregate } from "../../../src/read/decision-aggregate.js";
import type { DecisionDetail } from "../../../src/read/decision-detail.js";
import type { DecisionList } from "../../../src/read/decision-list.js";
import type { ShadowReport } from "../../../src/read/shadow-report.js";
import type {
  conditionEvaluationSchema,
  explainedRuleSchema,
} from "../../../src/api/response/rule-evaluation-schema.js";
import type { UsageReport } from "../../../src/read/usage-report.js";

/** A type of the service as it is after a trip over the wire. */
type Read<T> = T extends readonly (infer Item)[]
  ? Read<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Read<T[Key]> }
    : T;
type Takes<Wide, Narrow extends Wide> = Narrow;

/**
 * What the engine and the reads write is what the schemas of the document say, and what the schemas say is what the
 * client's types read: a difference in either does not compile. What routes put together themselves is of the schemas'
 * types in the first place.
 */
export type ResponseContract = [
  Takes<FromSchema<typeof decisionResponseSchema>, Read<DecisionResponse>>,
  Takes<Read<DecisionResponse>, FromSchema<typeof decisionResponseSchema>>,
  Takes<client.ServiceDecision, FromSchema<typeof decisionResponseSchema>>,
  Takes<FromSchema<typeof decisionListSchema>, Read<DecisionList>>,
  Takes<Read<DecisionList>, FromSchema<typeof decisionListSchema>>,
  Takes<client.DecisionPage, FromSchema<typeof decisionListSchema>>,
  Takes<FromSchema<typeof decisionDetailSchema>, Read<DecisionDetail>>,
  Takes<
    Omit<client.DecisionDetail, "rule_evaluations">,
    Omit<FromSchema<typeof decisionDetailSchema>, "rule_evaluations">
  >,
  // Conditions hold conditions, of which a type made from a schema knows the outermost level.
  Takes<Omit<client.ExplainedRule, "conditions">, Omit<FromSchema<typeof explainedRuleSchema>, "conditions">>,
  Takes<client.FieldEvaluation, Extract<FromSchema<typeof conditionEvaluationSchema>, { field: string }>>,
  Takes<Omit<FromSchema<typeof decisionAggregateSchema>, "source">, Read<DecisionAggregate>>,
  Takes<client.DecisionAggregate, FromSchema<typeof decisionAggregateSchema>>,
  Takes<FromSchema<typeof shadowReportSchema>, Read<ShadowReport>>,
  Takes<client.ShadowReport, FromSchema<typeof shadowReportSchema>>,
  Takes<FromSchema<typeof replaySchema>, Read<Replay>>,
  Takes<FromSchema<typeof analyticsSummarySchema>, Read<AnalyticsSummary>>,
  Takes<dashboard.AnalyticsSummary, FromSchema<typeof analyticsSummarySchema>>,
  Takes<keyof FromSchema<typeof analyticsSummarySchema>, keyof dashboard.AnalyticsSummary>,
  Takes<FromSchema<typeof usageReportSchema>, Read<UsageReport>>,
  Takes<FromSchema<typeof healthSnapshotSchema>, Read<Omit<HealthSnapshot, "source">>>,
  Takes<client.HealthSnapshot, FromSchema<typeof healthSnapshotSchema>>,
  Takes<client.OutcomeReceipt, FromSchema<typeof outcomeReceiptSchema>>,
  Takes<FromSchema<typeof outcomeReceiptSchema>, client.OutcomeReceipt>,
  Takes<FromSchema<typeof policySchema>, Read<Policy>>,
  Takes<Omit<FromSchema<typeof simulationSchema>, "validation">, Read<Simulation>>,
  Takes<client.Simulation, FromSchema<typeof simulationSchema>>,
  Takes<client.Translation["warnings"], FromSchema<typeof translationSchema>["warnings"]>,
  Takes<FromSchema<typeof backtestProgressSchema>, Extract<BacktestReport, { type: "progress" }>>,
  Takes<FromSchema<typeof backtestResultSchema>, Read<Extract<BacktestReport, { type: "result" }>>>,
  Takes<FromSchema<typeof validationIssueSchema>, ValidationIssue>,
  Takes<FromSchema<typeof policyIssueSchema>, PolicyIssue>,
  // No field of a schema is missing in the client's types, nor the reverse.
  Takes<keyof client.ServiceDecision, keyof FromSchema<typeof decisionResponseSchema>>,
  Takes<keyof client.DecisionDetail, keyof FromSchema<typeof decisionDetailSchema>>,
  Takes<keyof client.DecisionListRow, keyof FromSchema<typeof decisionListSchema>["decisions"][number]>,
  Takes<keyof client.DecisionAggregate, keyof FromSchema<typeof decisionAggregateSchema>>,
  Takes<keyof client.ShadowReport, keyof FromSchema<typeof shadowReportSchema>>,
  Takes<keyof client.Simulation, keyof FromSchema<typeof simulationSchema>>,
  Takes<keyof FromSchema<typeof decisionResponseSchema>, keyof client.ServiceDecision>,
  Takes<keyof FromSchema<typeof decisionDetailSchema>, keyof client.DecisionDetail>,
  Takes<keyof FromSchema<typeof simulationSchema>, keyof client.Simulation>,
];

/** A draft that strict validation refuses is shown as it was read. */
const AS_IT_WAS_READ = "Translation.properties.draft.anyOf.properties.rules.items.properties.then";

describe("OpenAPI: schemas of the wire", () => {
  it("every object is closed, and requires only what it has", () => {
    const schemas = componentNames(requestSchemas(["provider_1"]));
    let objects = 0;
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      if (Array.isArray(schema)) return schema.forEach((item) => walk(item, path));
      const { type, properties, additionalProperties, required } = schema as Record<string, unknown>;
      if (type === "object" && properties !== undefined && path !== AS_IT_WAS_READ) {
        objects++;
        assert.equal(additionalProperties, false, `${path} takes other fields`);
        for (const name of (required ?? []) as string[])
          assert.ok(Object.hasOwn(properties as object, name), `${path} requires ${name}`);
      }
      for (const [key, value] of Object.entries(schema)) walk(value, `${path}.${key}`);
    };
    for (const [name, schema] of Object.entries(schemas)) walk(schema, name);
    assert.ok(objects > 60, `${objects} objects`);
  });
});
