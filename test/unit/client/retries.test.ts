import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  PayInferenceClient,
  PayInferenceError,
  type Answer,
  type ClientOptions,
  type DecideResult,
} from "payinference/client";
import { decisionRequest, outcomeReport } from "../../support/people/client-requests.js";
import { unlessLate } from "../../support/people/client-results.js";
import {
  decisionReply,
  reply,
  startScriptedServer,
  type Behaviour,
  type ScriptedServer,
} from "../../support/http/scripted-server.js";

function clientOf(server: ScriptedServer, options: Partial<ClientOptions> = {}): PayInferenceClient {
  return new PayInferenceClient({
    baseUrl: server.url,
    apiKey: "pi_test_key",
    decisionTimeoutMs: 250,
    ...options,
  });
}

/** Makes decisions of one client in sequence, and records the server's view of them. */
function decide(behave: Behaviour, options: readonly { idempotencyKey?: string }[]) {
  return unlessLate(async () => {
    const server = await startScriptedServer(behave);
    const client = clientOf(server);
    const results: DecideResult[] = [];
    for (const option of options) results.push(await client.decide(decisionRequest(), option));
    return { server, results };
  });
}

type Call = (client: PayInferenceClient) => Promise<Answer<unknown>>;

const RETRIED: [what: string, call: Call][] = [
  ["an outcome report", (client) => client.reportOutcome(outcomeReport("dec_1"))],
  ["GET /v1/provider-health", (client) => client.providerHealth()],
  ["GET /v1/decisions", (client) => client.listDecisions({ page_size: 10 })],
  ["GET /v1/decisions/:decisionId", (client) => client.decision("dec_1")],
  ["GET /v1/decisions/aggregate", (client) => client.aggregate()],
  ["GET /v1/decisions/shadow-report", (client) => client.shadowReport({ days: 7 })],
  ["GET /v1/policies/:merchantId", (client) => client.policies("shop:1")],
  ["GET /v1/retry-rules", (client) => client.retryRules()],
  ["GET /v1/policy-templates", (client) => client.policyTemplates()],
];
const SIMULATION = {
  merchant_id: "shop",
  transaction: decisionRequest().transaction,
  available_providers: ["provider_1"],
};
/**
 * Calls that the client sends only once: a repetition could change something twice, or the contract does not ask for a
 * repetition.
 */
const SENT_ONCE: [what: string, call: Call][] = [
  ["POST /v1/policies", (client) => client.createPolicy({ merchant_id: "shop", name: "One", rules: [] })],
  ["POST /v1/policies/:policyId/publish", (client) => client.publishPolicy("pol_1")],
  [
    "POST /v1/policies/translate",
    (client) => client.translatePolicy({ merchant_id: "shop", text: "Hold all" }),
  ],
  ["POST /v1/policies/simulate", (client) => client.simulatePolicy(SIMULATION)],
  ["POST /v1/decisions/:decisionId/replay", (client) => client.replayDecision("dec_1")],
];

describe("Client guidance: outcome reports and GETs are retried with backoff after network errors", () => {
  for (const [what, call] of RETRIED) {
    it(`CLI-5: ${what} is sent again, the same, until it is answered`, async () => {
      const server = await startScriptedServer((socket, _request, index) => {
        if (index === 0) return void socket.resetAndDestroy();
        if (index === 1) return void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"half');
        reply(socket, 200, { answered: true });
      });
      const answer = await call(clientOf(server));
      assert.ok(answer.ok);
      assert.deepEqual([answer.value, answer.requestId], [{ answered: true }, "req_scripted"]);
      const [first, ...others] = server.requests;
      assert.equal(others.length, 2);
      for (const { line, body } of others)
        assert.deepEqual({ line, body }, { line: first?.line, body: first?.body });
    });
  }

  it("they are retried after the client's own timeout too", async () => {
    const server = await startScriptedServer((socket, _request, index) => {
      if (index > 0) reply(socket, 200, { providers: [] });
    });
    const answer = await clientOf(server, { requestTimeoutMs: 1000 }).providerHealth();
    assert.deepEqual(answer.ok && answer.value, { providers: [] });
    assert.equal(server.requests.length, 2);
  });

  for (const retries of [0, 2]) {
    it(`they are retried at most ${retries} times if the merchant asks for that, and then report the error`, async () => {
      const server = await startScriptedServer((socket) => void socket.resetAndDestroy());
      const answer = await clientOf(server, { retries }).providerHealth();
      assert.deepEqual(answer, { ok: false, problem: { kind: "unreachable", message: "ECONNRESET" } });
      assert.equal(server.requests.length, 1 + retries);
    });
  }

  for (const [what, call] of SENT_ONCE) {
    it(`${what} is not: it is sent once`, async () => {
      const server = await startScriptedServer((socket) => void socket.resetAndDestroy());
      const answer = await call(clientOf(server));
      assert.equal(!answer.ok && answer.problem.kind, "unreachable");
      assert.equal(server.requests.length, 1);
    });
  }

  it("CLI-3: a redirect of a read is no answer of the service, is not followed, and says nothing of where to", async () => {
    const location = "https://elsewhere.example/secret-path";
    const server = await startScriptedServer((socket) => reply(socket, 308, "", { location }));
    const answer = await clientOf(server).decision("dec_1");
    const message = "HTTP 308 is no answer of the service";
    assert.deepEqual(answer, { ok: false, problem: { kind: "malformed_answer", message } });
    assert.equal(server.requests.length, 1);
  });

  it("an answer larger than any of the service is given up, not kept", async () => {
    const server = await startScriptedServer((socket) => {
      reply(socket, 200, `{"pad":"${"x".repeat(17 * 2 ** 20)}"}`);
    });
    const answer = await clientOf(server).providerHealth();
    assert.equal(!answer.ok && answer.problem.kind, "malformed_answer");
    assert.equal(server.requests.length, 1);
  });
});

const ISSUES = [{ path: "transaction.amount", code: "too_small", message: "Must be at least 1" }];
const POLICY_ISSUES = [{ path: "rules", code: "custom", message: "No rules", severity: "warning" }];
const PLAIN = { statusCode: 403, message: "Tenant is not active", error: "Forbidden" };
const ANSWERS: [status: number, body: unknown, problem: Record<string, unknown>][] = [
  [400, { error: "validation_error", issues: ISSUES }, { kind: "validation_error", issues: ISSUES }],
  [
    400,
    { error: "policy_validation_failed", issues: POLICY_ISSUES },
    { kind: "policy_validation_failed", issues: POLICY_ISSUES },
  ],
  [
    401,
    { ...PLAIN, statusCode: 401, message: "Invalid API key" },
    { kind: "http_error", message: "Invalid API key" },
  ],
  [403, PLAIN, { kind: "http_error", message: "Tenant is not active" }],
  [
    404,
    { statusCode: 404, message: "Decision not found" },
    { kind: "http_error", message: "Decision not found" },
  ],
  [407, "<html>Proxy</html>", { kind: "http_error", message: "HTTP 407" }],
  [429, { error: "rate_limited", limit_per_minute: 2000 }, { kind: "rate_limited", limitPerMinute: 2000 }],
];

describe("Client guidance: an HTTP error is an answer and is not retried", () => {
  for (const [status, body, problem] of ANSWERS) {
    it(`CLI-2: ${status} ${String(problem["kind"])} to a decision: a refusal, and no fallback`, async () => {
      const { server, results } = await decide((socket) => reply(socket, status, body), [{}]);
      const [result] = results;
      assert.ok(result !== undefined && !result.ok);
      assert.deepEqual(result.problem, { status, requestId: "req_scripted", ...problem });
      assert.equal(server.requests.length, 1);
    });

    it(`${status} ${String(problem["kind"])} to a read: typed, asked once`, async () => {
      const server = await startScriptedServer((socket) => reply(socket, status, body));
      const answer = await clientOf(server).decision("dec_1");
      assert.deepEqual(answer, { ok: false, problem: { status, requestId: "req_scripted", ...problem } });
      assert.equal(server.requests.length, 1);
    });
  }

  it("503 to an outcome report: typed, asked once", async () => {
    const server = await startScriptedServer((socket) => reply(socket, 503, { message: "Overloaded" }));
    const answer = await clientOf(server).reportOutcome(outcomeReport("dec_1"));
    const problem = { kind: "server_error", message: "Overloaded", status: 503, requestId: "req_scripted" };
    assert.deepEqual(answer, { ok: false, problem });
    assert.equal(server.requests.length, 1);
  });
});

describe("CLI-4: Client guidance: a retried decision reuses its Idempotency-Key", () => {
  it("each decision has a new key, and says which", async () => {
    const { server, results } = await decide((socket) => reply(socket, 200, decisionReply()), [{}, {}]);
    const sent = server.requests.map(({ headers }) => headers["idempotency-key"]);
    assert.deepEqual(
      sent,
      results.map(({ idempotencyKey }) => idempotencyKey),
    );
    assert.equal(new Set(sent).size, 2);
  });

  it("the merchant's own key is sent unchanged", async () => {
    const idempotencyKey = "k".repeat(255);
    const { server, results } = await decide(
      (socket) => reply(socket, 200, decisionReply()),
      [{ idempotencyKey }],
    );
    assert.equal(results[0]?.idempotencyKey, idempotencyKey);
    assert.equal(server.requests[0]?.headers["idempotency-key"], idempotencyKey);
  });

  for (const idempotencyKey of ["", "k".repeat(256), "a\r\nx: y", "ключ"]) {
    it(`a key of ${idempotencyKey.length} characters that no header can carry is the caller's bug`, async () => {
      const server = await startScriptedServer((socket) => reply(socket, 200, decisionReply()));
      await assert.rejects(clientOf(server).decide(decisionRequest(), { idempotencyKey }), TypeError);
      assert.equal(server.requests.length, 0);
    });
  }

  it("decisions share one connection; one that was closed while idle costs no fallback", async () => {
    const { server, results } = await decide(
      (socket, request, index) => {
        // A service that is being replaced behaves like this: it resets the connection on which the third request
        // arrives.
        if (index === 2 && request.connection === 0) return void socket.resetAndDestroy();
        reply(socket, 200, decisionReply(`dec_${index}`));
      },
      [{}, {}, {}],
    );
    assert.deepEqual(
      results.map((result) => result.ok && [result.source, result.decision.decision_id]),
      [
        ["service", "dec_0"],
        ["service", "dec_1"],
        ["service", "dec_3"],
      ],
    );
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [0, 0, 0, 1],
    );
    const [, , third, again] = server.requests;
    assert.equal(again?.headers["idempotency-key"], third?.headers["idempotency-key"]);
    assert.equal(again?.body, third?.body);
  });

  it("a second closed door is an outage", async () => {
    const { server, results } = await decide(
      (socket, _request, index) => {
        if (index > 0) return void socket.resetAndDestroy();
        reply(socket, 200, decisionReply());
      },
      [{}, {}],
    );
    const [, result] = results;
    assert.equal(result?.ok && result.source, "fallback");
    assert.equal(server.requests.length, 3);
  });
});

describe("client: a decision that comes too early for the card scheme", () => {
  it("RTRY-16: says from when on another attempt is allowed, and others say nothing", async () => {
    const notBefore = "2026-11-26T12:00:00.000Z";
    const { results } = await decide(
      (socket, _request, index) =>
        reply(
          socket,
          200,
          decisionReply(),
          index === 0 ? { "payinference-retry-not-before": notBefore } : undefined,
        ),
      [{}, {}],
    );
    const said = results.map((result) =>
      result.ok && result.source === "service" ? result.retryNotBefore : "none",
    );
    assert.deepEqual(said, [notBefore, null]);
  });
});

describe("client: every endpoint of a key", () => {
  const lines: [call: Call, line: string, body: unknown][] = [
    [(client) => client.reportOutcome(outcomeReport("dec_1")), "POST /v1/outcomes", outcomeReport("dec_1")],
    [(client) => client.providerHealth(), "GET /v1/provider-health", null],
    [(client) => client.retryRules(), "GET /v1/retry-rules", null],
    [(client) => client.policyTemplates(), "GET /v1/policy-templates", null],
    [(client) => client.listDecisions(), "GET /v1/decisions", null],
    [
      (client) => client.listDecisions({ action: "hold", unresolved: true, order_id: "a b&c", page: 2 }),
      "GET /v1/decisions?action=hold&unresolved=true&order_id=a+b%26c&page=2",
      null,
    ],
    [(client) => client.decision("../policies/x"), "GET /v1/decisions/..%2Fpolicies%2Fx", null],
    [(client) => client.aggregate(), "GET /v1/decisions/aggregate", null],
    [(client) => client.shadowReport(), "GET /v1/decisions/shadow-report", null],
    [(client) => client.shadowReport({ days: 90 }), "GET /v1/decisions/shadow-report?days=90", null],
    [(client) => client.replayDecision("dec_1"), "POST /v1/decisions/dec_1/replay", null],
    [(client) => client.policies("shop:1"), "GET /v1/policies/shop%3A1", null],
    [
      (client) => client.createPolicy({ merchant_id: "shop", name: "One", rules: [] }),
      "POST /v1/policies",
      { merchant_id: "shop", name: "One", rules: [] },
    ],
    [(client) => client.publishPolicy("pol_1"), "POST /v1/policies/pol_1/publish", null],
    [
      (client) => client.translatePolicy({ merchant_id: "shop", text: "Hold all payments" }),
      "POST /v1/policies/translate",
      { merchant_id: "shop", text: "Hold all payments" },
    ],
    [(client) => client.simulatePolicy(SIMULATION), "POST /v1/policies/simulate", SIMULATION],
  ];
  for (const [call, line, body] of lines) {
    it(`sends ${line}`, async () => {
      const server = await startScriptedServer((socket) => reply(socket, 200, {}));
      assert.ok((await call(clientOf(server))).ok);
      const [request] = server.requests;
      assert.equal(request?.line, line);
      assert.equal(request.headers["x-api-key"], "pi_test_key");
      assert.deepEqual(request.body === "" ? null : JSON.parse(request.body), body);
      assert.equal(request.headers["content-type"], body === null ? undefined : "application/json");
    });
  }

  it("sends ifMatch unchanged, and accepts a tag that a proxy has weakened", async () => {
    const server = await startScriptedServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\netag: W/"pol_1"\r\ncontent-length: 2\r\n\r\n{}'),
    );
    const listed = await clientOf(server).policies("shop");
    assert.ok(listed.ok);
    assert.equal(listed.etag, '"pol_1"');
    await clientOf(server).publishPolicy("pol_2", { ifMatch: '"pol_1"' });
    await clientOf(server).publishPolicy("pol_2");
    assert.deepEqual(
      server.requests.map(({ headers }) => headers["if-match"]),
      [undefined, '"pol_1"', undefined],
    );
  });

  it("keeps the path of its base URL", async () => {
    const server = await startScriptedServer((socket) => reply(socket, 200, {}));
    await clientOf(server, { baseUrl: `${server.url}/payments/` }).aggregate();
    assert.equal(server.requests[0]?.line, "GET /payments/v1/decisions/aggregate");
  });

  it("an iterator over the log throws the problem it meets, after the rows before it", async () => {
    const server = await startScriptedServer((socket, _request, index) =>
      index === 0
        ? reply(socket, 200, { decisions: [{ decision_id: "dec_9" }], has_more: true })
        : reply(socket, 429, { error: "rate_limited", limit_per_minute: 5 }),
    );
    const rows: string[] = [];
    await assert.rejects(
      async () => {
        for await (const row of clientOf(server).decisions({ action: "hold" })) rows.push(row.decision_id);
      },
      (error) => error instanceof PayInferenceError && error.problem.kind === "rate_limited",
    );
    assert.deepEqual(rows, ["dec_9"]);
    assert.deepEqual(
      server.requests.map(({ line }) => line),
      [
        "GET /v1/decisions?page_size=100&action=hold",
        "GET /v1/decisions?page_size=100&action=hold&starting_after=dec_9",
      ],
    );
  });
});
