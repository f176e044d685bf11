import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FromSchema } from "json-schema-to-ts";
import type { BacktestReport } from "../../../../src/features/policies/backtest/messages.js";
import { componentNames } from "../../../../src/features/docs/component-names.js";
import { requestSchemas } from "../../../../src/features/docs/request-schemas.js";
import type {
  backtestProgressSchema,
  backtestResultSchema,
} from "../../../../src/features/policies/wire/backtest-response-schema.js";
import type { decisionListSchema } from "../../../../src/features/decisions/wire/decision-log-schema.js";
import type { decisionDetailSchema } from "../../../../src/features/decisions/wire/decision-detail-schema.js";
import type {
  decisionAggregateSchema,
  replaySchema,
  shadowReportSchema,
} from "../../../../src/features/decisions/wire/decision-report-schema.js";
import type { analyticsSummarySchema } from "../../../../src/features/analytics/wire.js";
import type { decisionResponseSchema } from "../../../../src/path/wire/decision-response-schema.js";
import type { policyIssueSchema, validationIssueSchema } from "../../../../src/platform/wire/error-schema.js";
import type { healthSnapshotSchema } from "../../../../src/features/provider-health/wire.js";
import type { policySchema } from "../../../../src/features/policies/wire/policy-response-schema.js";
import type {
  simulationSchema,
  translationSchema,
} from "../../../../src/features/policies/wire/policy-trial-response-schema.js";
import type { usageReportSchema } from "../../../../src/features/usage/wire.js";
import type { PolicyIssue, ValidationIssue } from "../../../../src/platform/wire/validation-issue.js";
import type { Replay } from "../../../../src/domain/decision/replay.js";
import type { DecisionResponse } from "../../../../src/domain/decision/response.js";
import type { Simulation } from "../../../../src/domain/decision/simulation.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import type { Policy } from "../../../../src/domain/policy/policy.js";
import type { AnalyticsSummary } from "../../../../src/features/analytics/service.js";
import type { DecisionAggregate } from "../../../../src/features/decisions/decision-aggregate.js";
import type { DecisionDetail } from "../../../../src/features/decisions/decision-detail.js";
import type { DecisionList } from "../../../../src/features/decisions/decision-list.js";
import type { ShadowReport } from "../../../../src/features/decisions/shadow-report.js";
import type { TranslationWarning } from "../../../../src/features/policies/translate/grammar/translation-warning.js";
import type { UsageReport } from "../../../../src/features/usage/service.js";

/** A type of the service as it is after a trip over the wire. */
type Read<T> = T extends readonly (infer Item)[]
  ? Read<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Read<T[Key]> }
    : T;
type Takes<Wide, Narrow extends Wide> = Narrow;

/**
 * What the engine and the reads write is what the schemas of the document say: a difference does not compile. What
 * routes put together themselves is of the schemas' types in the first place.
 */
export type ResponseContract = [
  Takes<FromSchema<typeof decisionResponseSchema>, Read<DecisionResponse>>,
  Takes<Read<DecisionResponse>, FromSchema<typeof decisionResponseSchema>>,
  Takes<FromSchema<typeof decisionListSchema>, Read<DecisionList>>,
  Takes<Read<DecisionList>, FromSchema<typeof decisionListSchema>>,
  Takes<FromSchema<typeof decisionDetailSchema>, Read<DecisionDetail>>,
  Takes<Omit<FromSchema<typeof decisionAggregateSchema>, "source">, Read<DecisionAggregate>>,
  Takes<FromSchema<typeof shadowReportSchema>, Read<ShadowReport>>,
  Takes<FromSchema<typeof replaySchema>, Read<Replay>>,
  Takes<FromSchema<typeof analyticsSummarySchema>, Read<AnalyticsSummary>>,
  Takes<FromSchema<typeof usageReportSchema>, Read<UsageReport>>,
  Takes<FromSchema<typeof healthSnapshotSchema>, Read<Omit<HealthSnapshot, "source">>>,
  Takes<FromSchema<typeof policySchema>, Read<Policy>>,
  Takes<Omit<FromSchema<typeof simulationSchema>, "validation">, Read<Simulation>>,
  Takes<FromSchema<typeof translationSchema>["warnings"], TranslationWarning[]>,
  Takes<FromSchema<typeof backtestProgressSchema>, Extract<BacktestReport, { type: "progress" }>>,
  Takes<FromSchema<typeof backtestResultSchema>, Read<Extract<BacktestReport, { type: "result" }>>>,
  Takes<FromSchema<typeof validationIssueSchema>, ValidationIssue>,
  Takes<FromSchema<typeof policyIssueSchema>, PolicyIssue>,
];

/** A draft that strict validation refuses is shown as it was read. */
const AS_IT_WAS_READ = "Translation.properties.draft.anyOf.properties.rules.items.properties.then";

/** HOOK-7: it is acknowledged whatever its fields are. */
const OF_UNKNOWN_TYPE = "ProviderWebhook.oneOf, Any other type";

describe("OpenAPI: schemas of the wire", () => {
  it("every object is closed, and requires only what it has", () => {
    const schemas = componentNames(requestSchemas(["provider_1"]));
    let objects = 0;
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      if (Array.isArray(schema)) return schema.forEach((item) => walk(item, path));
      const { type, title, properties, additionalProperties, required } = schema as Record<string, unknown>;
      const isOpen = path === AS_IT_WAS_READ || `${path}, ${String(title)}` === OF_UNKNOWN_TYPE;
      if (type === "object" && properties !== undefined && !isOpen) {
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
