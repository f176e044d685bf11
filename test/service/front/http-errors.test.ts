import assert from "node:assert/strict";
import { STATUS_CODES } from "node:http";
import { before, describe, it } from "node:test";
import { openConnection, requestText, type RawReply } from "../../support/http/raw-http.js";
import { decisionBody, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace, setWorkspaceStatus } from "../../support/people/tenants.js";
import { REQUEST_ID } from "../../support/service/request-ids.js";

let service: RunningService;
/** One key for each situation, by name. */
let keys: Readonly<Record<string, string>>;

before(async () => {
  service = await sharedTestService();
  const [workspaceId, suspendedId] = await Promise.all([
    createWorkspace(service, { merchants: ["shop_a", "shop_b"] }),
    createWorkspace(service),
  ]);
  keys = {
    good: await createKey(service.pool, workspaceId),
    scopeless: await createKey(service.pool, workspaceId, { scopes: [] }),
    shopA: await createKey(service.pool, workspaceId, { merchantId: "shop_a" }),
    suspended: await createKey(service.pool, suspendedId),
    suspendedScopeless: await createKey(service.pool, suspendedId, { scopes: [] }),
    unknown: `pi_test_${"0".repeat(64)}`,
  };
  await setWorkspaceStatus(service.pool, suspendedId, "suspended");
});

const JSON_TYPE = ["content-type", "application/json"] as const;

interface Case {
  method?: string;
  path?: string;
  /** A name in `keys`. Null for none. */
  key?: string | null;
  headers?: readonly (readonly [string, string])[];
  body?: string;
}

const validBody = JSON.stringify(decisionBody({ merchant_id: "shop_a" }));
const TOO_LARGE = validBody.padEnd(16 * 1024 + 1);

async function ask(
  { method = "POST", path = "/v1/decision", key = "good", headers = [JSON_TYPE], body }: Case,
  url = service.url,
): Promise<RawReply> {
  const connection = await openConnection(url);
  const credentials = key === null ? [] : [["x-api-key", keys[key] ?? key] as const];
  const text = method === "POST" ? (body ?? validBody) : body;
  connection.write(requestText(method, path, [...credentials, ...headers], text));
  const reply = await connection.reply({ bodiless: method === "HEAD" });
  connection.destroy();
  return reply;
}

/** The headers of HTTP-13 and HTTP-14. */
function assertHeadersOfEveryAnswer({ headers }: RawReply): void {
  assert.deepEqual(headers.get("content-type"), ["application/json; charset=utf-8"]);
  assert.deepEqual(headers.get("cache-control"), ["no-store"]);
  assert.deepEqual(headers.get("x-content-type-options"), ["nosniff"]);
  assert.equal(headers.get("x-request-id")?.length, 1);
  for (const banner of ["server", "uwebsockets", "x-powered-by", "via"]) {
    assert.equal(headers.has(banner), false, banner);
  }
}

/** `{statusCode, message, error: <status text>}` and nothing else. */
function assertPlainError(reply: RawReply, status: number, message?: string): void {
  assert.equal(reply.status, status, reply.body);
  assert.equal(reply.reason, STATUS_CODES[status]);
  const body = JSON.parse(reply.body) as { message: string };
  assert.ok(typeof body.message === "string" && body.message !== "");
  assert.deepEqual(body, {
    statusCode: status,
    message: message ?? body.message,
    error: STATUS_CODES[status],
  });
}

function assertIssue(reply: RawReply, path: string, code: string): void {
  assert.equal(reply.status, 400, reply.body);
  const body = JSON.parse(reply.body) as { issues: { message: string }[] };
  const message = body.issues[0]?.message;
  assert.ok(typeof message === "string" && message !== "");
  assert.deepEqual(body, { error: "validation_error", issues: [{ path, code, message }] });
}

const NO_CREDENTIALS = "Provide an x-api-key header or a session token";
const INVALID_KEY = "Invalid API key";
const DECISION_WRITE = "decision:write";

describe("errors", () => {
  const plain: [what: string, request: Case, status: number, message?: string][] = [
    ["no credentials", { key: null }, 401, NO_CREDENTIALS],
    ["an unknown key", { key: "unknown" }, 401, INVALID_KEY],
    ["a key without the scope", { key: "scopeless" }, 403, `API key is missing scopes: ${DECISION_WRITE}`],
    ["a suspended workspace", { key: "suspended" }, 403, "Tenant is not active"],
    [
      "another merchant than the key's",
      { key: "shopA", body: JSON.stringify(decisionBody({ merchant_id: "shop_b" })) },
      403,
      "API key is scoped to a different merchant",
    ],
    [
      "a merchant not in the workspace",
      { body: JSON.stringify(decisionBody({ merchant_id: "shop_c" })) },
      403,
    ],
    ["HTTP-1: an unknown route", { method: "GET", path: "/v1/nothing" }, 404],
    ["an unknown route below /", { method: "GET", path: "/" }, 404],
    ["a trailing slash", { method: "GET", path: "/health/" }, 404],
    ["a path in another case", { method: "GET", path: "/HEALTH" }, 404],
    [
      "ERR-5, LOG-18: an unknown decision",
      { method: "GET", path: "/v1/decisions/dec_01jd4wqk2m0000000000000000" },
      404,
    ],
    ["a body over 16 KiB", { body: TOO_LARGE }, 413],
    ["a body without content type", { headers: [] }, 415],
  ];
  for (const [what, request, status, message] of plain) {
    it(`ERR-3, FMT-1, HTTP-13, HTTP-19: answers ${what} with ${status}`, async () => {
      const reply = await ask(request);
      assertPlainError(reply, status, message);
      assertHeadersOfEveryAnswer(reply);
      assert.equal(reply.headers.has("allow"), false);
    });
  }

  const disallowed: [method: string, path: string, allow: string][] = [
    ["GET", "/v1/decision", "POST"],
    ["PUT", "/v1/decision", "POST"],
    ["DELETE", "/v1/decision", "POST"],
    ["OPTIONS", "/v1/decision", "POST"],
    ["BREW", "/v1/decision", "POST"],
    ["POST", "/v1/provider-health", "GET, HEAD"],
    ["PATCH", "/v1/decisions/dec_01jd4wqk2m0000000000000000", "GET, HEAD"],
    ["POST", "/health", "GET, HEAD"],
    ["DELETE", "/ready", "GET, HEAD"],
    // RFC 9110 §9.1: methods are case-sensitive.
    ["get", "/health", "GET, HEAD"],
  ];
  for (const [method, path, allow] of disallowed) {
    it(`ERR-3, FMT-2, HTTP-1: answers ${method} ${path} with 405 and allow: ${allow}`, async () => {
      const reply = await ask({ method, path, key: null });
      assertPlainError(reply, 405);
      assertHeadersOfEveryAnswer(reply);
      assert.deepEqual(reply.headers.get("allow"), [allow]);
    });
  }

  const invalid: [what: string, request: Case, path: string, code: string][] = [
    ["ERR-1: malformed JSON", { body: "{" }, "", "invalid_json"],
    ["an empty body", { body: "" }, "", "invalid_json"],
    ["a body that is no object", { body: "[]" }, "", "invalid_type"],
    [
      "ERR-1: a schema violation",
      { body: validBody.replace("129900", "0") },
      "transaction.amount",
      "too_small",
    ],
    [
      "ERR-10: a decimal amount",
      { body: validBody.replace("129900", "12.5") },
      "transaction.amount",
      "invalid_type",
    ],
    ["an unknown field", { body: validBody.replace("{", '{"cvv":"123",') }, "cvv", "unrecognized_keys"],
    ["ERR-14: a repeated key", { body: validBody.replace("{", '{"order_id":"x",') }, "order_id", "custom"],
    [
      "ERR-14: a __proto__ key",
      { body: validBody.replace("{", '{"__proto__":{},') },
      "__proto__",
      "unrecognized_keys",
    ],
    [
      "a constructor key",
      { body: validBody.replace("{", '{"constructor":1,') },
      "constructor",
      "unrecognized_keys",
    ],
    ["U+0000", { body: validBody.replace("order_1", "a\\u0000b") }, "order_id", "invalid_string"],
    [
      "ERR-14: a lone surrogate",
      { body: validBody.replace("order_1", "\\ud800") },
      "order_id",
      "invalid_string",
    ],
    [
      "ERR-12: a card number as a key",
      { body: validBody.replace("{", '{"4111111111111111":1,') },
      "[redacted]",
      "unrecognized_keys",
    ],
    [
      "ERR-12: six digits in a row within a key",
      { body: validBody.replace("{", '{"card_411111":1,') },
      "[redacted]",
      "unrecognized_keys",
    ],
    [
      "ERR-6: a too long Idempotency-Key",
      { headers: [JSON_TYPE, ["idempotency-key", "k".repeat(256)]] },
      "headers.idempotency-key",
      "too_big",
    ],
    [
      "IDEM-9: two Idempotency-Key lines",
      { headers: [JSON_TYPE, ["idempotency-key", "one"], ["Idempotency-Key", "other"]] },
      "headers.idempotency-key",
      "custom",
    ],
    [
      "IDEM-9: one Idempotency-Key twice",
      { headers: [JSON_TYPE, ["idempotency-key", "same"], ["idempotency-key", "same"]] },
      "headers.idempotency-key",
      "custom",
    ],
    [
      "IDEM-9: an Idempotency-Key beside an empty one",
      { headers: [JSON_TYPE, ["idempotency-key", ""], ["idempotency-key", "same"]] },
      "headers.idempotency-key",
      "custom",
    ],
  ];
  for (const [what, request, path, code] of invalid) {
    it(`ERR-1: answers ${what} with 400 ${code} at "${path}"`, async () => {
      const reply = await ask(request);
      assertIssue(reply, path, code);
      assertHeadersOfEveryAnswer(reply);
      assert.doesNotMatch(reply.body, /411111|kkkk|123/);
    });
  }

  for (const path of [
    "/v1/outcomes",
    "/v1/policies",
    "/v1/policies/simulate",
    "/v1/policies/pol_x/publish",
  ]) {
    it(`IDEM-9: answers two Idempotency-Key lines with 400 on ${path} too`, async () => {
      const headers = [JSON_TYPE, ["idempotency-key", "one"], ["idempotency-key", "two"]] as const;
      assertIssue(await ask({ path, headers, body: "{}" }), "headers.idempotency-key", "custom");
    });
  }

  it("ERR-14: answers nesting over 32 levels with 400 custom", async () => {
    const codesAt = async (levels: number) => {
      const nested = "[".repeat(levels - 1) + "]".repeat(levels - 1);
      const { status, body } = await ask({ body: validBody.replace("{", `{"nested":${nested},`) });
      const { issues } = JSON.parse(body) as { issues: { path: string; code: string }[] };
      return [status, ...issues.map(({ path, code }) => `${code} "${path}"`)];
    };
    assert.deepEqual(await codesAt(32), [400, 'unrecognized_keys "nested"']);
    assert.deepEqual(await codesAt(33), [400, 'custom ""', 'unrecognized_keys "nested"']);
  });

  it("answers HEAD as GET, without the body", async () => {
    for (const path of ["/health", "/ready", "/v1/nothing", "/v1/decision", "/v1/decisions/x"]) {
      const head = await ask({ method: "HEAD", path, key: null });
      assertHeadersOfEveryAnswer(head);
      const get = await ask({ method: "GET", path, key: null });
      assert.equal(head.status, get.status, path);
      assert.deepEqual(head.headers.get("content-length"), get.headers.get("content-length"), path);
      assert.ok(Number(head.headers.get("content-length")?.[0]) > 0);
    }
  });
});

describe("order of checks", () => {
  const anotherMerchant = JSON.stringify(decisionBody({ merchant_id: "shop_b" }));
  const unknownMerchant = JSON.stringify(decisionBody({ merchant_id: "nobody" }));
  const twoFaults: [what: string, request: Case, status: number, message?: string][] = [
    ["HTTP-1: route before credentials", { path: "/v1/nothing", key: null }, 404],
    ["HTTP-1: method before credentials", { method: "GET", key: null }, 405],
    ["credentials before the body", { key: "unknown", body: "{" }, 401],
    ["credentials before the body's size", { key: "unknown", body: TOO_LARGE }, 401],
    ["credentials before the content type", { key: null, headers: [] }, 401],
    ["credentials before the merchant", { key: "unknown", body: unknownMerchant }, 401],
    ["HTTP-2: the workspace before the scope", { key: "suspendedScopeless" }, 403, "Tenant is not active"],
    ["the workspace before the body", { key: "suspended", body: "{" }, 403, "Tenant is not active"],
    ["the scope before the body", { key: "scopeless", body: "{" }, 403],
    ["the scope before the body's size", { key: "scopeless", body: TOO_LARGE }, 403],
    ["the scope before the content type", { key: "scopeless", headers: [] }, 403],
    ["the content type before the merchant", { key: "shopA", headers: [], body: anotherMerchant }, 415],
    [
      "HTTP-6: the body's size before the merchant",
      { key: "shopA", body: anotherMerchant.padEnd(16_385) },
      413,
    ],
    [
      "the merchant scope before membership",
      { key: "shopA", body: unknownMerchant },
      403,
      "API key is scoped to a different merchant",
    ],
  ];
  for (const [what, request, status, message] of twoFaults) {
    it(what, async () => assertPlainError(await ask(request), status, message));
  }

  it("HTTP-6: the body before the merchant", async () => {
    assertIssue(
      await ask({ key: "shopA", body: anotherMerchant.replace("129900", "-1") }),
      "transaction.amount",
      "too_small",
    );
    assertIssue(
      await ask({ key: "shopA", body: anotherMerchant, headers: [JSON_TYPE, ["idempotency-key", ""]] }),
      "headers.idempotency-key",
      "too_small",
    );
  });
});

describe("FMT-2: x-request-id", () => {
  const answers: [what: string, request: Case, status: number][] = [
    ["200", {}, 200],
    ["400", { body: "{" }, 400],
    ["401", { key: null }, 401],
    ["403", { key: "scopeless" }, 403],
    ["404", { path: "/v1/nothing" }, 404],
    ["405", { method: "DELETE" }, 405],
    ["413", { body: TOO_LARGE }, 413],
    ["415", { headers: [["content-type", "text/plain"]] }, 415],
    ["/health", { method: "GET", path: "/health" }, 200],
    ["/ready", { method: "GET", path: "/ready" }, 200],
  ];
  for (const [what, request, status] of answers) {
    it(`FMT-1, FMT-7, HTTP-14: is the caller's on ${what}, otherwise a new one`, async () => {
      const headers = request.headers ?? [JSON_TYPE];
      const own = await ask({ ...request, headers: [...headers, ["x-request-id", "caller-1.A_b"]] });
      assert.equal(own.status, status, own.body);
      assert.deepEqual(own.headers.get("x-request-id"), ["caller-1.A_b"]);
      const made = await ask(request);
      assert.match(made.headers.get("x-request-id")?.[0] ?? "", REQUEST_ID);
    });
  }

  it("HTTP-14: is on /metrics and on unknown routes of its listener", async () => {
    for (const path of ["/metrics", "/nothing"]) {
      const headers = [["x-request-id", "scrape-1"]] as const;
      const own = await ask({ method: "GET", path, key: null, headers }, service.metricsUrl);
      assert.deepEqual(own.headers.get("x-request-id"), ["scrape-1"]);
      assert.deepEqual(own.headers.get("cache-control"), ["no-store"]);
      assert.deepEqual(own.headers.get("x-content-type-options"), ["nosniff"]);
      const made = await ask({ method: "GET", path, key: null, headers: [] }, service.metricsUrl);
      assert.match(made.headers.get("x-request-id")?.[0] ?? "", REQUEST_ID);
    }
  });

  const health = (id: string, more: readonly (readonly [string, string])[] = []) =>
    ask({ method: "GET", path: "/health", key: null, headers: [["x-request-id", id], ...more] });

  it("HTTP-15: accepts 1 to 128 characters of [A-Za-z0-9._-]", async () => {
    for (const id of ["a", "-", "0", "A.b_c-9", "x".repeat(128)]) {
      assert.deepEqual((await health(id)).headers.get("x-request-id"), [id]);
    }
  });

  it("HTTP-15: replaces anything else and echoes no part of it", async () => {
    const bad = [
      "",
      " ",
      "x".repeat(129),
      "a b",
      "a:b",
      "a,b",
      'a"b',
      "<script>",
      "a/b",
      "\u00e9",
      "a%0d%0ab: c",
    ];
    for (const id of bad) {
      const { headers } = await health(id);
      assert.equal(headers.get("x-request-id")?.length, 1);
      assert.match(headers.get("x-request-id")?.[0] ?? "", REQUEST_ID, JSON.stringify(id));
    }
    const { headers } = await health("first", [["x-request-id", "second"]]);
    assert.match(headers.get("x-request-id")?.[0] ?? "", REQUEST_ID);
  });

  it("is never the same twice when the service makes it", async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => ask({ method: "GET", path: "/health", key: null, headers: [] })),
    );
    assert.equal(new Set(replies.map(({ headers }) => headers.get("x-request-id")?.[0])).size, 200);
  });
});
