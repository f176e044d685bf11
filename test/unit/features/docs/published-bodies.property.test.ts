import {
  addressProofValidator,
  forgottenPasswordValidator,
} from "../../../../src/features/email-links/wire/email-link-schema.js";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as fc from "fast-check";
import {
  acceptanceValidator,
  loginValidator,
  passwordChangeValidator,
  registrationValidator,
} from "../../../../src/features/accounts/wire/account-schema.js";
import { parseNewApiKey, rotationValidator } from "../../../../src/features/api-keys/wire/api-key-schema.js";
import { createBacktestParser } from "../../../../src/features/policies/wire/backtest-schema.js";
import { createDecisionValidator } from "../../../../src/path/wire/decision-schema.js";
import {
  parseEventEndpointChanges,
  parseNewEventEndpoint,
} from "../../../../src/features/events/wire/event-endpoint-body.js";
import {
  confirmationValidator,
  disablingValidator,
  enrolmentValidator,
} from "../../../../src/features/one-time-codes/wire.js";
import { oidcCodeValidator } from "../../../../src/features/oidc/wire.js";
import { newErasureValidator } from "../../../../src/features/erasures/wire/erasure-schema.js";
import { parseNewExport } from "../../../../src/features/exports/wire/export-body.js";
import {
  newSavedViewValidator,
  savedViewChangesValidator,
} from "../../../../src/features/saved-views/wire/saved-view-schema.js";
import { createOutcomeValidator } from "../../../../src/features/outcomes/wire/outcome-schema.js";
import { parseOverrideBody } from "../../../../src/features/overrides/wire/override-schema.js";
import { createPolicyBodyParser } from "../../../../src/features/policies/wire/policy-body.js";
import { policyTranslateValidator } from "../../../../src/features/policies/wire/policy-translate-schema.js";
import { createPolicyValidator } from "../../../../src/features/policies/wire/policy-validator.js";
import { createPricingBodyParser } from "../../../../src/features/pricing/wire/pricing-schema.js";
import { parseReviewBody, parseReviewsBody } from "../../../../src/features/reviews/wire/review-schema.js";
import { createSimulationParser } from "../../../../src/features/policies/wire/simulation-schema.js";
import { accountReleaseValidator } from "../../../../src/features/platform-admin/wire.js";
import { discardValidator } from "../../../../src/features/set-aside/wire/discard-schema.js";
import {
  invitationValidator,
  redemptionValidator,
  roleChangeValidator,
} from "../../../../src/features/team/wire/team-schema.js";
import type { PolicyIssue, ValidationIssue } from "../../../../src/platform/wire/validation-issue.js";
import { parseWebhookBody } from "../../../../src/features/webhooks/wire/webhook-schema.js";
import { webhookSecretValidator } from "../../../../src/features/webhooks/wire/webhook-secret-schema.js";
import {
  parseMerchantBody,
  parseWorkspaceChanges,
} from "../../../../src/features/workspaces/wire/workspace-schema.js";
import { signingKeyOf } from "../../../../src/features/webhooks/webhook-signature.js";
import { bodiesOf, builtDocument, type BuiltDocument } from "../../../support/generators/built-document.js";
import { everyNearMiss, nearMisses } from "../../../support/generators/near-misses.js";
import { publishedArbitrary } from "../../../support/generators/published-arbitraries.js";
import { SecondValidator } from "../../../support/generators/second-validator.js";

const PROVIDERS = ["provider_1", "provider_2", "provider_3"];
/** Some of the tried dates are before this time, and some after. */
const NOW_MS = Date.UTC(2000, 0);
const SEED = 20_261_128;
const BODIES = 400;

type Judged = { ok: true } | { ok: false; issues: readonly (ValidationIssue | PolicyIssue)[] };

const policies = createPolicyValidator({ providers: PROVIDERS, nextId: () => "0".repeat(26) });
const pricing = createPricingBodyParser(PROVIDERS);

/** The service's judgement of a body's text, by operation. */
const JUDGES: Readonly<Record<string, (text: string) => Judged>> = {
  createDecision: createDecisionValidator(PROVIDERS).parse,
  reportOutcome: createOutcomeValidator(PROVIDERS).parse,
  resolveReview: parseReviewBody,
  resolveReviews: parseReviewsBody,
  createPolicy: createPolicyBodyParser(policies),
  translatePolicy: policyTranslateValidator.parse,
  simulatePolicy: createSimulationParser(PROVIDERS, policies),
  backtestPolicy: createBacktestParser(policies),
  uploadPricing: (text) => pricing(text, NOW_MS),
  receiveProviderWebhook: (text) => parseWebhookBody(Buffer.from(text)),
  setWebhookSecret: (text) => {
    const parsed = webhookSecretValidator.parse(text);
    const secret = parsed.ok ? parsed.value.secret : undefined;
    // The route makes the same check after it has read the body.
    return secret === undefined || signingKeyOf(secret) !== null
      ? parsed
      : { ok: false, issues: [{ path: "secret", code: "invalid_string", message: "" }] };
  },
  register: registrationValidator.parse,
  login: loginValidator.parse,
  changePassword: passwordChangeValidator.parse,
  confirmOneTimeCodes: confirmationValidator.parse,
  disableOneTimeCodes: disablingValidator.parse,
  enterOidcCode: oidcCodeValidator.parse,
  enrolOneTimeCodes: enrolmentValidator.parse,
  acceptInvitation: acceptanceValidator.parse,
  rotateApiKey: rotationValidator.parse,
  createApiKey: (text) => parseNewApiKey(text, NOW_MS),
  createEventEndpoint: (text) => parseNewEventEndpoint(text, false),
  createExport: parseNewExport,
  createErasure: newErasureValidator.parse,
  createSavedView: newSavedViewValidator.parse,
  updateSavedView: savedViewChangesValidator.parse,
  updateEventEndpoint: (text) => parseEventEndpointChanges(text, false),
  inviteMember: invitationValidator.parse,
  resetPassword: redemptionValidator.parse,
  forgotPassword: forgottenPasswordValidator.parse,
  proveAddress: addressProofValidator.parse,
  changeMemberRole: roleChangeValidator.parse,
  updateWorkspace: parseWorkspaceChanges,
  registerMerchant: parseMerchantBody,
  overrideProvider: (text) => parseOverrideBody(text, NOW_MS),
  releaseAccount: accountReleaseValidator.parse,
  discardSetAside: discardValidator.parse,
};

/** Bodies of another kind than the document's example. */
const FURTHER: Readonly<Record<string, readonly unknown[]>> = {
  receiveProviderWebhook: [
    {
      type: "provider.incident_opened",
      created_at: "2026-11-20T12:00:00Z",
      data: { incident_id: "inc_1", severity: "major", parts: [{ name: "cards" }, null, 1.5] },
    },
    { type: "payment.imagined", created_at: "today", parts: [{ name: "cards" }, null, 1.5] },
  ],
};

/** The rules beyond JSON Schema: the issue's message, and the words about it in the document. */
const SAID_IN_WORDS: readonly [message: RegExp, words: RegExp][] = [
  [/^Weights must sum to 100$/, /The weights sum to 100\./],
  [/^Another rule has this rule_id$/, /Each rule_id of a policy is unique\./],
  [
    /^Must hold at most 200 conditions, nested ones included$/,
    /At most 200 conditions, nested ones included\./,
  ],
  [/^Must be after effective_from$/, /effective_to is after effective_from\./],
  [
    /^Contradicts rules\.\d+: the same segment, another price$/,
    /No two rules give one segment different prices\./,
  ],
  [/^Must not be below min_fee_minor$/, /max_fee_minor is not below min_fee_minor\./],
  [/^Starts where tiers\.\d+ of the rule does$/, /Tiers begin at different amounts\./],
  [/^Must be in the future$/, /"In the future\. /],
  [/^Must be after from$/, /"Excluded, and after from\. /],
  [/^Only for kind decisions$/, /"Only for kind decisions\."/],
  [/^Only for kind audit_log$/, /"Only for kind audit_log\."/],
  [/^Only for kind decisions or audit_log$/, /"Only for kind decisions or audit_log\."/],
  [/^Must not be below amount_min$/, /"In minor units, and not below amount_min\. /],
  [/^Must be a public https address$/, /"A public https address\."/],
];

const beyondSchema = ({ message }: ValidationIssue): boolean =>
  SAID_IN_WORDS.some(([pattern]) => pattern.test(message));

/** A warning stops a publish, but does not make a body invalid. The operation's description says so. */
const isWarning = (issue: ValidationIssue | PolicyIssue): boolean =>
  "severity" in issue && issue.severity === "warning";

let document: BuiltDocument;
let published: SecondValidator;
before(() => {
  document = builtDocument(PROVIDERS);
  published = new SecondValidator(document);
});

describe("OpenAPI: a body's schema and the service agree", () => {
  it("has a judge for every body", () => {
    const operations = bodiesOf(document).map(({ operationId }) => operationId);
    assert.deepEqual(operations.toSorted(), Object.keys(JUDGES).toSorted());
  });

  for (const [operationId, judge] of Object.entries(JUDGES)) {
    it(`API-2: ${operationId}: both refuse the same bodies, except for rules in words`, async () => {
      const found = bodiesOf(document).find((body) => body.operationId === operationId);
      assert.ok(found !== undefined);
      const { pointer, example } = found;
      const schema = await published.at(pointer);
      const counts = { accepted: 0, refused: 0 };
      const compare = (body: unknown): void => {
        const text = JSON.stringify(body);
        const value: unknown = JSON.parse(text);
        const judged = judge(text);
        const issues = judged.ok ? [] : judged.issues.filter((issue) => !isWarning(issue));
        const isPublished = schema.isValid(value);
        counts[isPublished ? "accepted" : "refused"]++;
        if (issues.length > 0 && issues.every(beyondSchema)) return;
        if ((issues.length === 0) === isPublished) return;
        const why = isPublished ? JSON.stringify(issues) : schema.issuesOf(value).join("\n");
        assert.fail(`the ${isPublished ? "service" : "document"} alone refuses ${text}:\n${why}`);
      };
      for (const body of [example, ...(FURTHER[operationId] ?? [])]) {
        for (const nearMiss of everyNearMiss(body)) compare(nearMiss);
      }
      const made = publishedArbitrary(schemaAt(document, pointer), document.components.schemas);
      const bodies = nearMisses(fc.oneof({ arbitrary: made, weight: 3 }, fc.constant(example)));
      fc.assert(fc.property(bodies, compare), { numRuns: BODIES, seed: SEED });
      assert.ok(counts.accepted > BODIES / 10 && counts.refused > BODIES / 10, JSON.stringify(counts));
    });
  }

  it("API-2: states the rules beyond a schema in words", () => {
    const text = JSON.stringify(document);
    for (const [, words] of SAID_IN_WORDS) assert.match(text, words);
  });
});

function schemaAt(document: BuiltDocument, pointer: string): object {
  const steps = pointer.slice(2).split("/");
  let at: unknown = document;
  for (const step of steps) {
    at = (at as Readonly<Record<string, unknown>>)[
      decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  }
  return at as object;
}
