import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { LIMITS } from "../../src/domain/vocabulary/limits.js";
import { bearer, register } from "../support/people/accounts.js";
import { decisionBody, send, sendRead, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

/**
 * test/service/front/http-malformed-bodies.test.ts sends 5000 generated bodies to the decision endpoint. This test
 * sends hostile bodies to all other endpoints.
 */
let service: RunningService;
let session = "";
before(async () => {
  service = await sharedTestService();
  session = (await register(service)).token;
});

const NOBODY = "dec_01jd4wqk2m0000000000000000";
/** The only body that may be left out (KEY-10). */
const ROTATION = `/v1/api-keys/${NOBODY}/rotate`;
const ENDPOINTS: readonly (readonly [
  method: string,
  path: string,
  as: "key" | "session",
  bytesMax: number,
])[] = [
  ["POST", "/v1/decision", "key", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/outcomes", "key", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/policies", "key", LIMITS.largeBodyBytesMax],
  ["POST", "/v1/policies/translate", "key", LIMITS.largeBodyBytesMax],
  ["POST", "/v1/policies/simulate", "key", LIMITS.largeBodyBytesMax],
  ["POST", "/v1/policies/backtest", "key", LIMITS.largeBodyBytesMax],
  ["POST", "/v1/pricing/rules", "key", LIMITS.largeBodyBytesMax],
  ["POST", "/v1/auth/register", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/auth/login", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/auth/accept-invitation", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/auth/reset-password", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/auth/change-password", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/auth/one-time-codes", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/auth/one-time-codes/confirm", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/auth/one-time-codes/disable", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/api-keys", "session", LIMITS.smallBodyBytesMax],
  ["POST", ROTATION, "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/event-endpoints", "session", LIMITS.smallBodyBytesMax],
  ["PATCH", `/v1/event-endpoints/${NOBODY}`, "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/team/invitations", "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/admin/merchants", "session", LIMITS.smallBodyBytesMax],
  ["PATCH", "/v1/admin/workspace", "session", LIMITS.smallBodyBytesMax],
  ["PUT", "/v1/admin/provider-overrides/provider_1", "session", LIMITS.smallBodyBytesMax],
  ["PUT", "/v1/integrations/provider_1/webhook-secret", "session", LIMITS.smallBodyBytesMax],
  ["POST", `/v1/decisions/${NOBODY}/review`, "session", LIMITS.smallBodyBytesMax],
  ["POST", "/v1/decisions/reviews", "session", LIMITS.smallBodyBytesMax],
];

const nested = (levels: number, open: string, close: string): string =>
  open.repeat(levels) + close.repeat(levels);
const BODIES: readonly (readonly [what: string, body: string])[] = [
  ["nothing", ""],
  ["null", "null"],
  ["a list", "[]"],
  ["a number", "1e999"],
  ["a text", '"x"'],
  ["33 levels of lists", `{"a":${nested(33, "[", "]")}}`],
  ["33 levels of objects", nested(33, '{"a":', "}").replace('{"a":}', '{"a":1}')],
  ["7000 open brackets", "[".repeat(7000)],
  ["3000 levels", nested(3000, "[", "]")],
  ["one key twice", '{"merchant_id":"a","merchant_id":"b"}'],
  ["one key twice, once escaped", '{"name":"a","n\\u0061me":"b"}'],
  ["__proto__", '{"__proto__":{"polluted":true}}'],
  // If one of these became a prototype, the body `{}` would be a complete decision request.
  ["__proto__ that is a decision", `{"__proto__":${JSON.stringify(decisionBody())}}`],
  [
    "constructor.prototype that is a decision",
    `{"constructor":{"prototype":${JSON.stringify(decisionBody())}}}`,
  ],
  ["__proto__, escaped", '{"__pr\\u006fto__":{"polluted":true}}'],
  ["constructor.prototype", '{"constructor":{"prototype":{"polluted":true}}}'],
  ["__proto__ inside", '{"rules":[{"when":{"__proto__":{"amount_gte":1}}}],"transaction":{"__proto__":{}}}'],
  ["U+0000", '{"merchant_id":"a\\u0000b"}'],
  ["a lone surrogate", '{"merchant_id":"\\ud800"}'],
  ["a comment", "{/* */}"],
  ["NaN", '{"amount":NaN}'],
  ["what is cut short", '{"merchant_id":"a'],
  ["two bodies", "{}{}"],
];

const EMPTY_BODIES = 20;

/** Repeats a request on 503, because some checks that need PostgreSQL come before the body. */
const ask = (method: string, path: string, as: "key" | "session", body: string) =>
  sendRead(service, method, path, as === "key" ? { body } : { body, key: null, headers: bearer(session) });

describe("hostile bodies", () => {
  for (const [method, path, as, bytesMax] of ENDPOINTS) {
    it(`${method} ${path}: 400 for each, 413 over ${bytesMax / 1024} KiB`, async () => {
      for (const [what, body] of BODIES) {
        const { status, json, text } = await ask(method, path, as, body);
        if (path === ROTATION && body === "") {
          assert.equal(status, 404, text);
          continue;
        }
        assert.equal(status, 400, `${what}: ${text}`);
        assert.equal(json["error"], "validation_error", `${what}: ${text}`);
        assert.doesNotMatch(text, /polluted/);
      }
      for (const body of ["[".repeat(bytesMax), nested(bytesMax / 2, '"', '"')]) {
        assert.equal((await ask(method, path, as, body)).status, 400);
      }
      assert.equal((await ask(method, path, as, " ".repeat(bytesMax + 1))).status, 413);
    });
  }

  it("leave nothing behind: no prototype is changed, no line logged, and decisions are made as before", async () => {
    const { status, json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
    assert.equal(status, 200);
    assert.doesNotMatch(JSON.stringify(json), /polluted|__proto__/);
    // Every decide worker has parsed the hostile bodies. If a body had changed a prototype, the missing fields would
    // come from it, and the answer would be 200.
    for (let i = 0; i < EMPTY_BODIES; i++) {
      assert.equal((await ask("POST", "/v1/decision", "key", "{}")).status, 400);
    }
    // A missing field is refused here. An inherited field would count as sent.
    const simulated = await sendRead(service, "POST", "/v1/policies/simulate", {
      body: { ...decisionBody(), order_id: undefined, policy: { rules: [] } },
    });
    assert.equal(simulated.status, 200, simulated.text);
    assert.doesNotMatch(simulated.text, /polluted|__proto__/);
    assert.equal(service.process.exitCode, null);
    assert.doesNotMatch(service.log(), /"level":[56]0/);
  });
});
