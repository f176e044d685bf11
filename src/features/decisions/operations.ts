import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { idempotencyKeySchema, REPLAYED_ANSWER_HEADERS } from "../../platform/wire/idempotency-headers.js";
import type { Operations } from "../../platform/wire/operation.js";
import { cursors, interval, range } from "../../platform/wire/parameters.js";
import {
  actionParameter,
  decisionModeParameter,
  listOrderParameter,
  pageParameter,
  pageSizeParameter,
  shadowReportDaysParameter,
} from "../../platform/wire/query-schema.js";
import { decisionIdSchema, orderIdSchema, timestampSchema } from "../../platform/wire/scalars.js";
import { decisionResponseSchema } from "../../path/wire/decision-response-schema.js";
import { decisionDetailSchema } from "./wire/decision-detail-schema.js";
import { decisionInPath, NO_DECISION } from "./wire/decision-in-path.js";
import { facetParameters } from "./wire/facet-parameters.js";
import { sieveParameters } from "./wire/sieve-parameters.js";
import { decisionListSchema } from "./wire/decision-log-schema.js";
import { decisionAggregateSchema, replaySchema, shadowReportSchema } from "./wire/decision-report-schema.js";

/** The operations whose bodies name no provider. Their descriptions are therefore the same on every deployment. */
const ON_EVERY_DEPLOYMENT: Operations = {
  "GET /v1/decisions": {
    operationId: "listDecisions",
    readsOlderLog: true,
    tag: "Decisions",
    summary: "List decisions",
    description: "A key that is scoped to a merchant sees that merchant's decisions only.",
    query: {
      page_size: { schema: pageSizeParameter, description: "Rows of a page." },
      action: { schema: actionParameter, description: "Only this instruction." },
      decision_mode: { schema: decisionModeParameter, description: "Only enforce or shadow." },
      unresolved: {
        schema: { type: "boolean", default: false },
        description:
          "true: only decisions with neither outcome nor review; with action=hold the review queue.",
      },
      range,
      ...interval,
      order_id: { schema: orderIdSchema, description: "Every decision of that order, including retries." },
      ...facetParameters,
      ...sieveParameters,
      ...cursors(decisionIdSchema, "decision"),
      page: {
        schema: pageParameter,
        description: `Offset paging, without a cursor; past the first ${LIMITS.offsetRowsMax} rows pages are empty.`,
      },
      order: {
        schema: listOrderParameter,
        description: "Which rows come first. oldest is only for a page without a cursor.",
      },
    },
    answers: { 200: { description: "One page.", schema: decisionListSchema } },
  },
  "GET /v1/decisions/aggregate": {
    operationId: "getDecisionAggregate",
    tag: "Decisions",
    summary: "Figures over the whole history",
    description: "Exact but for top_reason_codes; kept for at most five seconds.",
    answers: { 200: { description: "The figures.", schema: decisionAggregateSchema } },
  },
  "GET /v1/decisions/shadow-report": {
    operationId: "getShadowReport",
    tag: "Decisions",
    summary: "Compare shadow decisions with what the merchant did",
    query: { days: { schema: shadowReportDaysParameter, description: "How far back." } },
    answers: { 200: { description: "The comparison.", schema: shadowReportSchema } },
  },
  "GET /v1/decisions/:decisionId": {
    operationId: "getDecision",
    readsOlderLog: true,
    tag: "Decisions",
    summary: "One decision in detail",
    path: decisionInPath,
    answers: {
      200: { description: "The decision, its outcome and its review.", schema: decisionDetailSchema },
    },
    refuses: { 404: NO_DECISION },
  },
  "POST /v1/decisions/:decisionId/replay": {
    operationId: "replayDecision",
    readsOlderLog: true,
    tag: "Decisions",
    summary: "Make a stored decision again and compare",
    description: "From exactly what the decision saw. Takes no body and changes nothing.",
    path: decisionInPath,
    answers: { 200: { description: "Whether it is identical, and where not.", schema: replaySchema } },
    refuses: { 404: NO_DECISION },
  },
};

/**
 * The operations on one decision and on the decision log. `request` is the schema of the request body on this
 * deployment.
 */
export function decisionOperations(request: JsonSchema): Operations {
  return {
    "POST /v1/decision": {
      operationId: "createDecision",
      tag: "Decisions",
      summary: "Decide what to do with a payment",
      description:
        "Answers one instruction for the merchant's backend to execute. Set a hard timeout of 50 to 250 ms and have a fallback. Without an Idempotency-Key every call makes a new decision. In test mode the dashboard's page API keys gets each instruction once; docs/tries.md has the values that force it.",
      headers: {
        "Idempotency-Key": {
          schema: idempotencyKeySchema,
          description:
            "A retry with the same key within one hour replays the stored response, byte for byte. It holds for one workspace, mode and merchant. Printable ASCII.",
        },
      },
      body: request,
      answers: {
        200: {
          description: "The decision; it is durable when this is sent.",
          schema: decisionResponseSchema,
          headers: {
            ...REPLAYED_ANSWER_HEADERS,
            "payinference-retry-not-before": {
              schema: timestampSchema,
              description:
                "Present with RETRY_TOO_EARLY: from then on the card scheme allows another attempt.",
            },
          },
        },
      },
      refuses: {
        403: "The key is scoped to another merchant, or merchant_id is not of the workspace.",
        503: "The service is at its capacity, or decisions cannot be recorded.",
      },
    },
    ...ON_EVERY_DEPLOYMENT,
  };
}
