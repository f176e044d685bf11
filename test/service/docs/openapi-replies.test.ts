import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  callAccounts,
  callLetters,
  callOidc,
  callTeam,
  type Callers,
} from "../../support/documented/account-calls.js";
import {
  ADMIN,
  callEvents,
  callExports,
  callSavedViews,
  callHealth,
  callPlatform,
  callWorkspace,
} from "../../support/documented/administration-calls.js";
import { callDecisions } from "../../support/documented/decision-calls.js";
import { DocumentedCalls } from "../../support/documented/documented-calls.js";
import { callPolicies, callPricing } from "../../support/documented/policy-calls.js";
import {
  bySubject,
  IS_RECORDING,
  keepExamples,
  keptExamples,
} from "../../support/documented/recorded-examples.js";
import {
  startIdentityProvider,
  type IdentityProviderServer,
} from "../../support/people/identity-provider.js";
import { freezeHealth, FROZEN_PROBER } from "../../support/service/frozen-health.js";
import { sendRead, startTestService, type RunningService } from "../../support/service/service.js";
import { mailSettings } from "../../support/service/letters.js";
import { WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";

/**
 * Every operation of the document is called on a service with data, and its reply is checked against the document. This
 * check uses an independent validator, and `send` uses Ajv. The first replies are the document's examples.
 */

/** Another server answers this operation, because only Prometheus reads the metrics. */
const ELSEWHERE = "getMetrics";

/** The calls reach these limits. */
const FEW_KEPT = {
  API_KEYS_MAX: "2",
  POLICIES_PER_MERCHANT_MAX: "2",
  CONTRACTS_PER_MERCHANT_MAX: "1",
  WEBHOOK_SECRETS_MAX: "2",
};

let service: RunningService;
let calls: DocumentedCalls;
let provider: IdentityProviderServer;

before(async () => {
  const startedMs = Date.now();
  provider = await startIdentityProvider({ isEmailInToken: true });
  service = await startTestService({
    ...FROZEN_PROBER,
    ...provider.settings,
    PLATFORM_ADMIN_EMAIL: ADMIN.email,
    PLATFORM_ADMIN_PASSWORD: ADMIN.password,
    ...FEW_KEPT,
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
  });
  await freezeHealth(service, {});
  const reply = await sendRead(service, "GET", "/openapi.json", { key: null });
  calls = new DocumentedCalls(service, reply.json, startedMs);
});

describe("OpenAPI: every operation answers as the document says", () => {
  let callers: Callers;

  it("the service itself", async () => {
    await calls.call("getHealth", 200);
    await calls.call("getReadiness", 200);
    const reply = await calls.call("getOpenApi", 200);
    await calls.call("getOpenApi", 304, { headers: { "if-none-match": reply.headers.get("etag") ?? "" } });
  });

  it("accounts and API keys", async () => {
    callers = await callAccounts(calls);
  });

  it("single sign-on", () => callOidc(calls, provider, callers));
  it("the team", () => callTeam(calls, service, callers));
  it("letters", async () => {
    // Nobody listens at this address, so letters wait.
    const to = await startTestService({ ...FROZEN_PROBER, ...mailSettings("smtp://127.0.0.1:1") });
    await callLetters(calls, to, callers);
  });
  it("policies", () => callPolicies(calls, callers));
  it("prices and webhooks", () => callPricing(calls, callers));
  it("decisions, their outcomes and reviews", () => callDecisions(calls, callers));
  it("health and alerts", () => callHealth(calls, service, callers));
  it("events", () => callEvents(calls, service, callers));
  it("saved views", () => callSavedViews(calls, callers, service));
  it("exports", () => callExports(calls, service, callers));
  it("administration", () => callWorkspace(calls, callers));
  it("the platform's administration", () => callPlatform(calls, service));

  it("the end of a session", async () => {
    await calls.call("logout", 204, { headers: callers.session });
  });

  it("API-5: the calls above cover every documented operation and success", () => {
    const documented = calls.successes().filter((success) => !success.startsWith(ELSEWHERE));
    assert.deepEqual(calls.calledSuccesses().toSorted(), documented.toSorted());
  });

  it("API-7: the calls above get the replies that the document shows as examples", async () => {
    for (const [subject, recorded] of bySubject(calls.recorded)) {
      if (IS_RECORDING) await keepExamples(subject, recorded);
      assert.deepEqual(recorded, keptExamples(subject), `${subject}: npm run record-examples`);
    }
  });
});
