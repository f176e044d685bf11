import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as client from "payinference/client";
import { decisionRequest, outcomeReport } from "../../support/people/client-requests.js";
import { freePort } from "../../support/machine/free-port.js";
import { eventually, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";

let service: RunningService;
/** The key of a workspace that only this file uses. */
let ownKey: string;
let payinference: client.PayInferenceClient;
before(async () => {
  service = await sharedTestService();
  ownKey = await createKey(service.pool, await createWorkspace(service));
  // The client has the short time limit of a checkout, so tests on a busy machine repeat a decision that came too late.
  payinference = new client.PayInferenceClient({
    baseUrl: service.url,
    apiKey: ownKey,
    decisionTimeoutMs: 250,
  });
});

async function decided(
  changes: Partial<client.DecisionRequest> = {},
  by = payinference,
): Promise<client.ServiceDecision> {
  let decision: client.ServiceDecision | undefined;
  await eventually(async () => {
    const result = await by.decide(decisionRequest(changes));
    assert.ok(result.ok && result.source === "service", JSON.stringify(result));
    ({ decision } = result);
  });
  return decision as client.ServiceDecision;
}

async function valueOf<T>(answering: Promise<client.Answer<T>>): Promise<T> {
  const answer = await answering;
  assert.ok(answer.ok, JSON.stringify(answer));
  assert.match(answer.requestId ?? "", /^req_/);
  return answer.value;
}

describe("client: against the service", () => {
  it("decides, reports the outcome and reads both back", async () => {
    const decision = await decided({ order_id: "order_outcome" });
    assert.equal(decision.mode, "test");
    assert.ok(decision.action === "route" && decision.route !== null);
    const report = { ...outcomeReport(decision.decision_id), order_id: "order_outcome" };
    const receipt = await valueOf(payinference.reportOutcome(report));
    assert.deepEqual(receipt, {
      outcome_id: decision.decision_id.replace("dec_", "out_"),
      decision_id: decision.decision_id,
      outcome: "approved",
      failure_class: "none",
      technical_failure_type: null,
      approved: true,
    });
    const detail = await valueOf(payinference.decision(decision.decision_id));
    assert.deepEqual(detail.route, decision.route);
    assert.equal(detail.outcome?.provider_used, "provider_1");
  });

  it("a decision asked for again with its key is the stored one", async () => {
    const idempotencyKey = "client-replay";
    await eventually(async () => {
      const first = await payinference.decide(decisionRequest(), { idempotencyKey });
      assert.ok(first.ok && first.source === "service");
      const other = decisionRequest({ order_id: "order_other" });
      const second = await payinference.decide(other, { idempotencyKey });
      assert.ok(second.ok && second.source === "service");
      assert.deepEqual([second.replayed, second.bodyMismatch], [true, true]);
      assert.deepEqual(second.decision, first.decision);
    });
  });

  it("a local decision has every field of the service's, in its order", async () => {
    const down = new client.PayInferenceClient({
      baseUrl: `http://127.0.0.1:${await freePort()}`,
      apiKey: ownKey,
    });
    const local = await down.decide(decisionRequest());
    assert.ok(local.ok && local.source === "fallback");
    const decision = await decided();
    const shape = ({ risk, policy, model, route, provider_health, ...rest }: client.Decision) =>
      [rest, risk, policy, model, route ?? {}, provider_health, provider_health["provider_1"] ?? {}].map(
        Object.keys,
      );
    assert.deepEqual(shape(local.decision), shape(decision));
    assert.deepEqual(Object.keys(local.decision), Object.keys(decision));
  });

  it("a refusal is typed: 400, 401 and 403", async () => {
    const { transaction } = decisionRequest();
    await eventually(async () => {
      const invalid = await payinference.decide(
        decisionRequest({ transaction: { ...transaction, amount: 0.5 } }),
      );
      assert.ok(!invalid.ok && invalid.problem.kind === "validation_error");
      assert.deepEqual(
        invalid.problem.issues.map(({ path, code }) => [path, code]),
        [["transaction.amount", "invalid_type"]],
      );
      const stranger = await payinference.decide(decisionRequest({ merchant_id: "stranger" }));
      assert.deepEqual(!stranger.ok && [stranger.problem.kind, stranger.problem.status], ["http_error", 403]);
    });
    const apiKey = "pi_test_unknown";
    const unknown = await new client.PayInferenceClient({ baseUrl: service.url, apiKey }).aggregate();
    assert.ok(!unknown.ok && unknown.problem.kind === "http_error");
    assert.deepEqual([unknown.problem.status, unknown.problem.message], [401, "Invalid API key"]);
  });

  it("walks the whole log, newest first, each decision once, with its filters", async () => {
    const workspaceId = await createWorkspace(service);
    const apiKey = await createKey(service.pool, workspaceId, { mode: "live" });
    const own = new client.PayInferenceClient({ baseUrl: service.url, apiKey, decisionTimeoutMs: 250 });
    const made: string[] = [];
    for (let i = 0; i < 7; i++) {
      const order_id = i % 2 === 0 ? "even" : "odd";
      made.unshift((await decided({ order_id }, own)).decision_id);
    }
    const walk = async (query: client.DecisionLogQuery): Promise<string[]> => {
      const ids: string[] = [];
      for await (const { decision_id } of own.decisions(query)) ids.push(decision_id);
      return ids;
    };
    await eventually(async () => {
      const all = await walk({});
      // A decision that timed out on a busy machine was made nevertheless, possibly between two walks.
      assert.ok(made.every((id) => all.includes(id)));
      assert.deepEqual(all, all.toSorted().toReversed());
      for (const page_size of [1, 2, 3, 100]) assert.deepEqual(await walk({ page_size }), all);
      const even = await walk({ page_size: 2, order_id: "even" });
      const odd = await walk({ page_size: 2, order_id: "odd" });
      assert.deepEqual([...even, ...odd].toSorted().toReversed(), all);
      const [first = ""] = all;
      assert.deepEqual(await walk({ starting_after: first, page_size: 2 }), all.slice(1));
      const page = await valueOf(own.listDecisions({ page_size: 2 }));
      assert.deepEqual([page.total, page.has_more, page.decisions.length], [all.length, true, 2]);
    });
  });

  it("creates, publishes, lists and rolls back policies", async () => {
    const rules: client.RuleDraft[] = [
      { name: "Hold guests", when: { customer_type_in: ["guest"] }, then: { type: "hold" } },
      { name: "Prefer two", when: {}, then: { type: "preferred_provider", provider: "provider_2" } },
    ];
    const draft = { merchant_id: "demo_merchant", name: "Client", rules };
    const first = await valueOf(payinference.createPolicy({ ...draft, publish: true }));
    assert.deepEqual([first.policy.status, first.warnings], ["published", []]);
    const second = await valueOf(payinference.createPolicy(draft));
    assert.equal(second.policy.status, "draft");
    const { policy } = await valueOf(payinference.publishPolicy(second.policy.policy_id));
    assert.equal(policy.status, "published");
    const { policies } = await valueOf(payinference.policies("demo_merchant"));
    assert.deepEqual(
      policies.map(({ policy_id, status }) => [policy_id, status]),
      [
        [second.policy.policy_id, "published"],
        [first.policy.policy_id, "archived"],
      ],
    );
    const empty = await payinference.createPolicy({ ...draft, rules: [], publish: true });
    assert.ok(!empty.ok && empty.problem.kind === "policy_validation_failed");
    assert.equal(empty.problem.issues[0]?.severity, "warning");
  });

  it("POL-18: publishes against the live policy it has read, and gets an error if another one is live", async () => {
    const draft = {
      merchant_id: "demo_merchant",
      name: "Guarded",
      rules: [{ name: "Hold all", when: {}, then: { type: "hold" } }] satisfies client.RuleDraft[],
    };
    const published = await payinference.policies("demo_merchant");
    assert.ok(published.ok && published.etag !== null);
    const first = await payinference.createPolicy({ ...draft, publish: true }, { ifMatch: published.etag });
    assert.ok(first.ok && first.etag !== null);
    const late = await payinference.createPolicy({ ...draft, publish: true }, { ifMatch: published.etag });
    assert.ok(!late.ok && late.problem.kind === "http_error");
    assert.equal(late.problem.status, 412);
    const stored = await payinference.createPolicy(draft);
    assert.ok(stored.ok && stored.etag === null, "a draft has no tag");
    const { policy_id } = stored.value.policy;
    const lateToo = await payinference.publishPolicy(policy_id, { ifMatch: published.etag });
    assert.ok(!lateToo.ok && "status" in lateToo.problem);
    assert.equal(lateToo.problem.status, 412);
    const second = await payinference.publishPolicy(policy_id, { ifMatch: first.etag });
    const now = await payinference.policies("demo_merchant");
    assert.ok(second.ok && now.ok && second.etag === now.etag && second.etag !== first.etag);
  });

  it("translates a policy, and simulates its draft", async () => {
    const merchant_id = "demo_merchant";
    const text = "Hold payments over 5000 USD from guests. Sing a song.";
    const { draft, valid, warnings } = await valueOf(payinference.translatePolicy({ merchant_id, text }));
    assert.ok(draft !== null && valid);
    assert.deepEqual(
      warnings.map(({ sentence_index }) => sentence_index),
      [1],
    );
    const transaction = {
      ...decisionRequest().transaction,
      amount: 600_000,
      customer_type: "guest",
    } as const;
    const { available_providers } = decisionRequest();
    const sample = { merchant_id, transaction, available_providers };
    const simulation = await valueOf(payinference.simulatePolicy({ ...sample, policy: draft }));
    assert.deepEqual([simulation.action, simulation.matched_rules.length], ["hold", 1]);
    assert.deepEqual(simulation.validation.errors, []);
  });

  it("makes a decision again and finds it identical", async () => {
    const { decision_id } = await decided();
    const replay = await valueOf(payinference.replayDecision(decision_id));
    assert.deepEqual(replay, {
      decision_id,
      identical: true,
      differences: [],
      missing: [],
      rule_evaluations: replay.rule_evaluations,
      cost: null,
      economics: null,
    });
  });

  it("reads health, aggregates and the shadow report", async () => {
    await decided({ decision_mode: "shadow" });
    const { providers } = await valueOf(payinference.providerHealth());
    assert.ok(providers.some(({ segment_key }) => segment_key === "provider_1:card:USD"));
    const aggregate = await valueOf(payinference.aggregate());
    assert.ok(aggregate.total > 0 && aggregate.recent.length > 0);
    const report = await valueOf(payinference.shadowReport({ days: 7 }));
    assert.deepEqual([report.window_days, report.total_shadow_decisions > 0], [7, true]);
  });
});
