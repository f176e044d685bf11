import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as fc from "fast-check";
import {
  buildDocument,
  UndocumentedError,
  type DocumentedRoute,
} from "../../../src/features/docs/document.js";
import { SCOPES, type Scope } from "../../../src/domain/vocabulary/vocabulary.js";
import { pointerTo } from "../../support/generators/built-document.js";
import { DocumentCheck } from "../../support/http/documented.js";
import { SecondValidator } from "../../support/generators/second-validator.js";
import { send, startTestService, type Reply, type RunningService } from "../../support/service/service.js";
import { anyText } from "../../support/generators/text.js";

interface Media {
  example?: unknown;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  "x-access"?: { scope?: string; roles?: string[] };
  parameters: { name?: string; in?: string; required?: boolean; $ref?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media>; headers: Record<string, unknown> }>;
}
type Method = "get" | "post" | "put" | "patch" | "delete";
interface Document {
  openapi: string;
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components: { schemas: Record<string, { properties?: Record<string, { enum?: string[] }> }> };
}

/** Operations without an example: the document itself, a file, and the metrics of another listener. */
const SELF_EVIDENT = new Set(["getOpenApi", "downloadExport", "getMetrics"]);

let service: RunningService;
let reply: Reply;
let document: Document;
let operations: { method: Method; path: string; operation: Operation }[];
before(async () => {
  service = await startTestService({ PROVIDERS: "alpha_pay,beta_pay" });
  reply = await send(service, "GET", "/openapi.json", { key: null });
  document = reply.json as unknown as Document;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method as Method, path, operation })),
  );
});

function operationOf(operationId: string): Operation {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  assert.ok(found !== undefined, operationId);
  return found.operation;
}

describe("OpenAPI: the document", () => {
  it("is served to anyone as OpenAPI 3.1, and its headers to HEAD", async () => {
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get("content-type"), "application/json; charset=utf-8");
    assert.match(document.openapi, /^3\.1\./);
    const head = await send(service, "HEAD", "/openapi.json", { key: null });
    assert.deepEqual([head.status, head.text], [200, ""]);
    assert.equal(head.headers.get("content-length"), String(Buffer.byteLength(reply.text)));
    assert.equal(head.headers.get("etag"), reply.headers.get("etag"));
  });

  it("answers 304 to a client that has the document, by its etag", async () => {
    const etag = reply.headers.get("etag") ?? "";
    assert.match(etag, /^"[\w-]+"$/);
    for (const [known, status] of [
      [etag, 304],
      [`"other", W/${etag}`, 304],
      ["*", 304],
      ['"other"', 200],
    ] as const) {
      const headers = { "if-none-match": known };
      const again = await send(service, "GET", "/openapi.json", { key: null, headers });
      assert.equal(again.status, status, known);
      assert.equal(again.headers.get("etag"), etag);
      if (status === 304) assert.equal(again.text, "");
    }
  });

  it("API-1: is valid by the schema that OpenAPI publishes, in a second validator", async () => {
    assert.deepEqual(await new SecondValidator(document).issuesOfDocument(), []);
  });

  it("API-1: is built of exactly the routes: one without an operation, or the reverse, is refused", () => {
    const routes = operations.map(({ method, path }): DocumentedRoute => ({
      method: method.toUpperCase() as DocumentedRoute["method"],
      path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
      access: "public",
    }));
    const build = (routes: DocumentedRoute[]): unknown =>
      buildDocument({
        routes,
        providers: ["provider_1"],
        version: "0.0.0",
        rolesWith: () => [],
        examples: {},
      });
    assert.ok(routes.length > 45);
    build(routes);
    const unknown: DocumentedRoute = { method: "GET", path: "/v1/unknown", access: "public" };
    assert.throws(() => build([...routes, unknown]), UndocumentedError);
    for (const missing of routes) {
      assert.throws(() => build(routes.filter((route) => route !== missing)), UndocumentedError);
    }
  });

  it("names each operation once, with a tag and a summary", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { operation } of operations) {
      assert.match(operation.operationId, /^[a-z][A-Za-z]+$/);
      assert.equal(operation.tags.length, 1);
      assert.ok(operation.summary.length > 5, operation.operationId);
    }
  });

  it("lists the deployment's own providers", () => {
    const provider = document.components.schemas["OutcomeReport"]?.properties?.["provider_used"];
    assert.deepEqual(provider?.enum, ["alpha_pay", "beta_pay"]);
  });

  it("API-3: has patterns that mean the same with and without the flag for Unicode", () => {
    const patterns = [...patternsIn(document)];
    assert.ok(patterns.length > 10, String(patterns.length));
    const loneSurrogates = fc.string({
      unit: fc.constantFrom("\ud800", "\udfff", "\u{1f600}", "a", "@", "\0"),
    });
    const texts = [
      ...fc.sample(anyText(), { numRuns: 200, seed: 1 }),
      ...fc.sample(loneSurrogates, { numRuns: 200, seed: 1 }),
    ];
    for (const pattern of patterns) {
      assert.doesNotMatch(pattern, /\\[pP]\{|\\u\{|\\k<|\(\?[<ims-]/, "beyond what other dialects read");
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, "u")];
      const matching =
        pattern.length > 100 ? [] : fc.sample(fc.stringMatching(plain), { numRuns: 5, seed: 1 });
      for (const text of [...texts, ...matching]) {
        assert.equal(plain.test(text), unicode.test(text), `${pattern} of ${JSON.stringify(text)}`);
      }
    }
  });

  it("API-4: has a valid example of every request body and every answer with a body", () => {
    const check = new DocumentCheck(document);
    for (const { method, path, operation } of operations) {
      const body = operation.requestBody?.content["application/json"];
      if (operation.requestBody !== undefined) {
        assert.ok(body?.example !== undefined, `${operation.operationId} has no example of its body`);
        check.assertRequest(method, path, body.example);
      }
      for (const [status, { content }] of Object.entries(operation.responses)) {
        for (const [contentType, media] of Object.entries(content ?? {})) {
          if (!contentType.includes("json") || SELF_EVIDENT.has(operation.operationId)) continue;
          assert.ok(media.example !== undefined, `${operation.operationId} has no example of ${status}`);
          const text = `${JSON.stringify(media.example)}\n`;
          const concrete = path.replaceAll(/\{\w+\}/g, "example");
          check.assertReply(method.toUpperCase(), concrete, { status: Number(status), contentType, text });
        }
      }
    }
  });

  it("API-4: has examples that a second validator accepts as well", async () => {
    const second = new SecondValidator(document);
    let examples = 0;
    const check = async (what: string, steps: readonly string[], media: Media): Promise<void> => {
      if (media.example === undefined) return;
      examples++;
      const schema = await second.at(pointerTo([...steps, "schema"]));
      assert.deepEqual(schema.issuesOf(media.example), [], what);
    };
    for (const { method, path, operation } of operations) {
      const steps = ["paths", path, method];
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
        await check(operation.operationId, [...steps, "requestBody", "content", type], media);
      }
      for (const [status, { content }] of Object.entries(operation.responses)) {
        for (const [type, media] of Object.entries(content ?? {})) {
          const at = [...steps, "responses", status, "content", type];
          await check(`${operation.operationId} ${status}`, at, media);
        }
      }
    }
    assert.ok(examples > 200, String(examples));
  });
});

describe("OpenAPI: scopes and authentication", () => {
  const GRANTS: Readonly<Record<Scope, readonly string[]>> = {
    "decision:write": ["createDecision"],
    "outcome:write": ["reportOutcome"],
    "health:read": ["listProviderHealth"],
    "policy:read": [
      "backtestPolicy",
      "getDecision",
      "getDecisionAggregate",
      "getShadowReport",
      "listDecisions",
      "listPolicies",
      "listPricing",
      "replayDecision",
      "simulatePolicy",
    ],
    "policy:write": ["createPolicy", "publishPolicy", "translatePolicy", "uploadPricing"],
  };
  for (const scope of SCOPES) {
    it(`${scope} grants ${GRANTS[scope].join(", ")}`, () => {
      const granted = operations.filter(({ operation }) => operation["x-access"]?.scope === scope);
      assert.deepEqual(granted.map(({ operation }) => operation.operationId).toSorted(), GRANTS[scope]);
    });
  }

  it("names the permitted roles for sessions, and says that nobody decides from the dashboard", () => {
    const session = [{ sessionCookie: [] }, { sessionToken: [] }];
    const saysOf = (operationId: string): unknown => {
      const { security, "x-access": access, description } = operationOf(operationId);
      for (const word of [access?.scope ?? [], access?.roles ?? []].flat()) {
        assert.ok(description.includes(word), `${operationId} says nothing of ${word}`);
      }
      return { security, access };
    };
    const everybody = ["owner", "admin", "developer", "analyst"];
    assert.deepEqual(saysOf("createDecision"), {
      security: [{ apiKey: [] }],
      access: { scope: "decision:write" },
    });
    assert.deepEqual(saysOf("listDecisions"), {
      security: [{ apiKey: [] }, ...session],
      access: { scope: "policy:read", roles: everybody },
    });
    assert.deepEqual(saysOf("resolveReview"), {
      security: session,
      access: { roles: ["owner", "admin", "analyst"] },
    });
    assert.deepEqual(saysOf("listWorkspaces"), { security: session, access: { roles: ["platform_admin"] } });
    assert.deepEqual(operationOf("receiveProviderWebhook").security, [{ webhookSignature: [] }]);
    assert.deepEqual(operationOf("getHealth").security, []);
  });

  it("documents the headers: X-Request-ID everywhere, Idempotency-Key for decisions and changes, and those of webhooks and publishes", () => {
    for (const { operation } of operations) {
      assert.ok(operation.parameters.some(({ $ref }) => $ref === "#/components/parameters/RequestId"));
      for (const { headers } of Object.values(operation.responses)) assert.ok("x-request-id" in headers);
    }
    const headersOf = (operationId: string): (string | undefined)[] =>
      operationOf(operationId)
        .parameters.filter((parameter) => parameter.in === "header")
        .map(({ name }) => name);
    assert.deepEqual(headersOf("createDecision"), ["Idempotency-Key"]);
    assert.deepEqual(headersOf("receiveProviderWebhook"), [
      "webhook-id",
      "webhook-timestamp",
      "payinference-workspace",
    ]);
    for (const operationId of ["createPolicy", "publishPolicy"])
      assert.deepEqual(headersOf(operationId), ["If-Match", "Idempotency-Key"]);
    const answerHeadersOf = (operationId: string): string[] =>
      Object.keys(operationOf(operationId).responses["200"]?.headers ?? {}).toSorted();
    const replayed = ["idempotency-body-mismatch", "idempotency-replayed"];
    const decided = [...replayed, "payinference-retry-not-before"];
    assert.deepEqual(answerHeadersOf("createPolicy"), ["etag", ...replayed, "x-request-id"]);
    assert.deepEqual(answerHeadersOf("publishPolicy"), ["etag", ...replayed, "x-request-id"]);
    assert.deepEqual(answerHeadersOf("listPolicies"), ["etag", "x-request-id"]);
    assert.deepEqual(answerHeadersOf("createDecision"), [...decided, "x-request-id"]);
  });

  it("IDEM-10: Idempotency-Key is accepted by decisions, and by session changes that create something new each time", () => {
    const keyed = operations.filter(({ operation }) =>
      operation.parameters.some(({ name }) => name === "Idempotency-Key"),
    );
    assert.deepEqual(keyed.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(), [
      "POST /v1/admin/accounts/release",
      "POST /v1/admin/erasures",
      "POST /v1/admin/merchants",
      "POST /v1/admin/set-aside/{id}/discard",
      "POST /v1/admin/set-aside/{id}/retry",
      "POST /v1/admin/workspaces/{id}/activate",
      "POST /v1/admin/workspaces/{id}/suspend",
      "POST /v1/alerts/{alertId}/acknowledge",
      "POST /v1/api-keys",
      "POST /v1/api-keys/{id}/rotate",
      "POST /v1/auth/change-password",
      "POST /v1/auth/one-time-codes",
      "POST /v1/auth/one-time-codes/confirm",
      "POST /v1/auth/one-time-codes/disable",
      "POST /v1/decision",
      "POST /v1/decisions/reviews",
      "POST /v1/decisions/{decisionId}/review",
      "POST /v1/event-endpoints",
      "POST /v1/event-endpoints/{id}/deliveries/{deliveryId}/redeliver",
      "POST /v1/event-endpoints/{id}/test",
      "POST /v1/exports",
      "POST /v1/policies",
      "POST /v1/policies/{policyId}/publish",
      "POST /v1/pricing/rules",
      "POST /v1/saved-views",
      "POST /v1/team/invitations",
      "POST /v1/team/{userId}/reset-one-time-codes",
      "POST /v1/team/{userId}/reset-password",
      "PUT /v1/integrations/{provider}/webhook-secret",
    ]);
  });
});

/** Every `pattern` in a document, and every name in `patternProperties`. */
function patternsIn(value: unknown): Set<string> {
  const found = new Set<string>();
  const collect = (within: unknown): void => {
    if (typeof within !== "object" || within === null) return;
    const { pattern, patternProperties } = within as { pattern?: unknown; patternProperties?: object };
    if (typeof pattern === "string") found.add(pattern);
    for (const name of Object.keys(patternProperties ?? {})) found.add(name);
    for (const item of Object.values(within)) collect(item);
  };
  collect(value);
  return found;
}
