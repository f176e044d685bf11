import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { bearer, register } from "../../support/people/accounts.js";
import { inOneMinute } from "../../support/waiting/one-minute.js";
import {
  decisionBody,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { platformAdmin, sharedTestService } from "../../support/service/shared-service.js";
import { createKey } from "../../support/people/tenants.js";
import { secretOf, sendWebhook } from "../../support/service/webhooks.js";

interface Operation {
  security: Record<string, unknown>[];
  parameters: { name?: string; in?: string }[];
  requestBody?: unknown;
}

/** A separate listener serves this operation. It answers nothing as JSON. */
const OWN_LISTENER = "GET /metrics";
/** AUTH-26: identity providers add parameters of their own. */
const OIDC_CALLBACK = "GET /v1/auth/oidc/callback";
const WEBHOOK = "POST /v1/provider-webhooks/{providerSlug}/{merchantId}";
const CARD = "4111111111111111";

let service: RunningService;
let token: string;
/**
 * All operations as `METHOD /path` of the document. The document is made from the route table, and every route must
 * have an operation.
 */
let operations: Map<string, Operation>;

before(async () => {
  service = await sharedTestService();
  ({ token } = await platformAdmin(service));
  const { json } = await send(service, "GET", "/openapi.json", { key: null });
  const paths = json["paths"] as Record<string, Record<string, Operation>>;
  operations = new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
  operations.delete(OWN_LISTENER);
  operations.delete(OIDC_CALLBACK);
  const body = { merchant_id: "demo_merchant", secret: secretOf("shop") };
  const headers = bearer((await register(service)).token);
  const path = "/v1/integrations/provider_1/webhook-secret";
  assert.equal((await send(service, "PUT", path, { body, key: null, headers })).status, 200);
});

/** Sends `query` to the endpoint with credentials that may use it. Path and body name nothing that exists. */
async function ask(name: string, query: string): Promise<Reply> {
  const { security, requestBody } = operations.get(name) as Operation;
  const [method = "", pattern = ""] = name.split(" ");
  if (name === WEBHOOK) return sendWebhook(service, { merchantId: `demo_merchant?${query}` });
  const path = `${pattern.replaceAll(/\{\w+\}/g, "none")}?${query}`;
  const isKeys = security.some((requirement) => "apiKey" in requirement);
  return sendRead(service, method, path, {
    ...(requestBody === undefined ? {} : { body: {} }),
    ...(isKeys || security.length === 0 ? {} : { headers: bearer(token) }),
    key: isKeys ? service.key : null,
  });
}

const unrecognized = (...names: string[]) => ({
  error: "validation_error",
  issues: names.map((name) => ({
    path: `query.${name}`,
    code: "unrecognized_keys",
    message: "Unrecognized key",
  })),
});

describe("an unknown query parameter is 400 unrecognized_keys, on every endpoint", () => {
  it("ERR-16: every route of the table refuses one, beside its own parameters", async () => {
    assert.ok(operations.size > 45, `only ${operations.size} operations`);
    for (const name of operations.keys()) {
      const reply = await ask(name, "unknown_one=1");
      assert.equal(reply.status, 400, `${name}: ${reply.text}`);
      assert.deepEqual(reply.json, unrecognized("unknown_one"), name);
      assert.ok(reply.headers.has("x-request-id"));
    }
  });

  it("ERR-16: a session is refused like a key", async () => {
    const headers = bearer(token);
    for (const [name, { security }] of operations) {
      if (!security.some((requirement) => "sessionToken" in requirement)) continue;
      const [method = "", path = ""] = name.split(" ");
      const asked = `${path.replaceAll(/\{\w+\}/g, "none")}?mode=live&unknown_one=1`;
      const { json } = await sendRead(service, method, asked, { headers, key: null, body: undefined });
      const names = (json["issues"] as { path: string }[]).map((issue) => issue.path);
      assert.ok(names.includes("query.unknown_one"), name);
    }
  });

  it("ERR-16: the known parameters are exactly the documented ones", async () => {
    const documented = new Set<string>();
    for (const { parameters } of operations.values()) {
      for (const parameter of parameters) if (parameter.in === "query") documented.add(parameter.name ?? "");
    }
    assert.ok(documented.size >= 10);
    for (const [name, { parameters }] of operations) {
      for (const parameter of documented) {
        const isTaken = parameters.some((own) => own.in === "query" && own.name === parameter);
        const { text } = await ask(name, `${parameter}=`);
        assert.equal(text.includes("unrecognized_keys"), !isTaken, `${name} ${parameter}: ${text}`);
      }
    }
  });

  it("AUTH-16: a mode that does not exist is refused with a key too, and one that does changes nothing", async () => {
    const isOfKeys = ({ security, parameters }: Operation): boolean =>
      security.some((one) => "apiKey" in one) && parameters.some(({ name }) => name === "mode");
    const names = [...operations].filter(([, one]) => isOfKeys(one)).map(([name]) => name);
    assert.ok(names.length >= 10, names.join());
    for (const name of names) {
      for (const query of ["mode=prod", "mode=", "mode=test&mode=test"]) {
        const { status, json } = await ask(name, query);
        assert.equal(status, 400, `${name}?${query}`);
        assert.deepEqual(
          (json["issues"] as { path: string }[]).map(({ path }) => path),
          ["query.mode"],
          name,
        );
      }
      for (const query of ["mode=test", "mode=live"])
        assert.ok(!(await ask(name, query)).text.includes("query.mode"), name);
    }
  });

  it("ERR-16: redacts a name like a body's, and echoes no value", async () => {
    const query = `${CARD}=1&fine=${CARD}&not%20fine=2&=3&fine=4`;
    for (const name of ["GET /health", "GET /v1/decisions", "POST /v1/decision"]) {
      const reply = await ask(name, query);
      assert.deepEqual(reply.json, unrecognized("[redacted]", "fine", "[redacted]", "[redacted]"), name);
      assert.ok(!reply.text.includes(CARD));
    }
  });

  it("lists at most 20 of them", async () => {
    const query = Array.from({ length: 30 }, (_, i) => `name_${i}=1`).join("&");
    const { json } = await ask("GET /ready", query);
    assert.equal((json["issues"] as unknown[]).length, 20);
  });

  it("an empty query counts as none, and HEAD as GET", async () => {
    assert.equal((await ask("GET /health", "")).status, 200);
    assert.equal((await ask("GET /health", "&")).status, 200);
    assert.equal((await send(service, "HEAD", "/health?unknown_one=1", { key: null })).status, 400);
  });

  it("a page accepts any parameter, because browsers add some to links", async () => {
    for (const path of ["/docs?theme=dark", "/dashboard/decisions?action=hold"]) {
      const { status } = await send(service, "GET", path, { key: null });
      assert.ok(status === 200 || status === 404, String(status));
    }
    assert.equal((await fetch(`${service.metricsUrl}?collect=all`)).status, 200);
  });
});

describe("HTTP-5: order of checks, with an unknown query parameter", () => {
  it("credentials and scope come first", async () => {
    const path = "/v1/decisions?unknown_one=1";
    assert.equal((await send(service, "GET", path, { key: null })).status, 401);
    const key = await createKey(service.pool, service.workspaceId, { scopes: ["health:read"] });
    assert.equal((await send(service, "GET", path, { key })).status, 403);
  });

  it("the webhook's signature comes first", async () => {
    const merchantId = "demo_merchant?unknown_one=1";
    assert.equal((await sendWebhook(service, { merchantId, secret: secretOf("another") })).status, 401);
  });

  it("the body, the merchant and the resource come after", async () => {
    const path = "/v1/decision?unknown_one=1";
    for (const options of [
      { body: decisionBody({ merchant_id: "nobody" }) },
      { body: "{" },
      { body: "x".repeat(20_000) },
      { body: "{}", headers: { "content-type": "text/plain" } },
    ]) {
      const { status, json } = await send(service, "POST", path, options);
      assert.deepEqual([status, json], [400, unrecognized("unknown_one")]);
    }
    assert.equal((await send(service, "GET", "/nowhere?unknown_one=1")).status, 404);
    assert.equal((await send(service, "DELETE", "/health?unknown_one=1")).status, 405);
  });

  it("the rate limit comes first, and counts such a request", async () => {
    const limited = await startTestService({ RATE_LIMIT_PER_MINUTE: "2" });
    await inOneMinute(async () => {
      const key = await createKey(limited.pool, limited.workspaceId);
      const path = "/v1/provider-health?unknown_one=1";
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) statuses.push((await send(limited, "GET", path, { key })).status);
      assert.deepEqual(statuses, [400, 400, 429]);
    });
  });
});
