import type { Operations, Parameter } from "../../platform/wire/operation.js";
import { merchantInPath } from "../../platform/wire/parameters.js";
import { backtestLineSchema } from "./wire/backtest-response-schema.js";
import type { PolicyBodySchemas } from "./wire/policy-body-schemas.js";
import {
  createdPolicySchema,
  policyListSchema,
  publishedPolicySchema,
} from "./wire/policy-response-schema.js";
import { policyTranslateSchema } from "./wire/policy-translate-schema.js";
import { simulationSchema, translationSchema } from "./wire/policy-trial-response-schema.js";

const LIVE_CHANGED = "The live policy is not one that If-Match names; nothing was stored.";
const NO_MERCHANT = "The key is scoped to another merchant, or the workspace has no such merchant.";

/** POL-17: the header that guards a publish by the live policy. */
const ifMatchLive: Parameter = {
  schema: { type: "string", examples: ['"pol_01m7x2m71k0p2cpq1pn69aabtq"', '"none"', "*"] },
  description:
    "The ETag of the live policy that the request was made against, a list of them, or * for any. Where another policy is live nothing is done.",
};
const liveEtag: Parameter = {
  schema: { type: "string" },
  description:
    "Names the merchant's live policy, for If-Match. It changes when another policy becomes the live one, and only then.",
};

/** The operations whose bodies name no provider. They are the same on every deployment. */
const ON_EVERY_DEPLOYMENT: Operations = {
  "POST /v1/policies/:policyId/publish": {
    operationId: "publishPolicy",
    tag: "Policies",
    summary: "Publish a draft, or roll back to an archived policy",
    description: "The live policy is archived in the same moment. Takes no body.",
    path: { policyId: { schema: { type: "string" }, description: "Of a policy." } },
    headers: { "If-Match": ifMatchLive },
    answers: {
      200: {
        description: "It is the live policy.",
        schema: publishedPolicySchema,
        headers: { etag: liveEtag },
      },
    },
    refuses: { 404: "Unknown, or of another workspace or merchant: all alike.", 412: LIVE_CHANGED },
    judgesPolicy: true,
  },
  "GET /v1/policies/:merchantId": {
    operationId: "listPolicies",
    tag: "Policies",
    summary: "A merchant's policies, newest first",
    path: { merchantId: merchantInPath },
    answers: {
      200: { description: "Every version.", schema: policyListSchema, headers: { etag: liveEtag } },
    },
    refuses: { 403: NO_MERCHANT },
  },
  "POST /v1/policies/translate": {
    operationId: "translatePolicy",
    tag: "Policies",
    summary: "Draft a policy from plain English",
    description: [
      "By rules, without a language model; nothing is stored. A sentence that is not understood as a whole becomes a warning.",
      'Several statements may share a sentence; "otherwise" is the opposite of what was asked before.',
      "An amount needs a currency: its code, its name, or a sign.",
      "$ and dollars are USD, £ and pounds GBP, € EUR, ₦ NGN, ₹ INR, R$ BRL, KSh KES, C$ CAD and A$ AUD.",
      "A code beside a sign wins: $500 CAD is CAD. A bare ¥, rupee, peso, franc or shilling becomes a warning.",
    ].join(" "),
    body: policyTranslateSchema,
    answers: { 200: { description: "The draft.", schema: translationSchema } },
    refuses: { 403: NO_MERCHANT },
  },
};

/** The operations on a merchant's policies. `bodies` are the request bodies that this deployment takes. */
export function policyOperations(bodies: PolicyBodySchemas): Operations {
  return {
    "POST /v1/policies": {
      operationId: "createPolicy",
      tag: "Policies",
      summary: "Create a policy, and publish it if asked to",
      description: "Errors always reject; warnings reject a publish. If-Match guards a draft as well.",
      headers: { "If-Match": ifMatchLive },
      body: bodies.policy,
      answers: {
        200: {
          description: "Stored, in normal form. The ETag is there where it was published.",
          schema: createdPolicySchema,
          headers: { etag: liveEtag },
        },
      },
      refuses: {
        403: NO_MERCHANT,
        409: "The merchant has as many policies as it may, and none that may leave.",
        412: LIVE_CHANGED,
      },
      judgesPolicy: true,
    },
    ...ON_EVERY_DEPLOYMENT,
    "POST /v1/policies/simulate": {
      operationId: "simulatePolicy",
      tag: "Policies",
      summary: "What a decision on a sample would be, and why",
      description:
        "By the draft, or the published policy where there is none. The engine and the cached health are those of real decisions; nothing is stored.",
      body: bodies.simulation,
      answers: { 200: { description: "The instruction and how it came about.", schema: simulationSchema } },
      refuses: { 403: NO_MERCHANT },
      judgesPolicy: true,
    },
    "POST /v1/policies/backtest": {
      operationId: "backtestPolicy",
      tag: "Policies",
      summary: "Make past decisions again with a draft",
      description:
        "One at a time on a node; others wait, and workspaces have their turns one after the other. A client that goes away ends its own.",
      body: bodies.backtest,
      answers: {
        200: {
          description:
            "One JSON object a line: progress as it goes (0 of 0 while it waits for its turn), then the result, or an error where it broke off.",
          schema: backtestLineSchema,
          contentType: "application/x-ndjson; charset=utf-8",
        },
      },
      refuses: {
        403: NO_MERCHANT,
        503: "Too many backtests of the workspace are waiting, or decisions cannot be read.",
      },
      judgesPolicy: true,
    },
  };
}
