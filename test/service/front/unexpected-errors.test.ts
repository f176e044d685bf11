import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { DecisionJob } from "../../../src/path/decide/pool/decision-pool.js";
import type { ApiKeyGrant } from "../../../src/path/access/grant.js";
import { decisionRoute } from "../../../src/path/front/decision-route.js";
import { startHttpServer, type HttpServer } from "../../../src/path/front/server.js";
import type { PublicRoute } from "../../../src/path/front/route.js";
import { createMetrics } from "../../../src/platform/telemetry/metrics.js";
import { closeLater } from "../../support/closing.js";
import { nextRequestId, REQUEST_ID } from "../../support/service/request-ids.js";

const BUG = new Error("a bug of ours");
const route = (path: string, handle: PublicRoute["handle"]): PublicRoute => ({
  method: "GET",
  path,
  access: "public",
  handle,
});

const GRANT = { workspaceId: "ws_1", mode: "test", merchantScope: null } as ApiKeyGrant;
const jobs: DecisionJob[] = [];
/** The first of two decisions in a batch hits a bug while its answer is sent. */
const decision = decisionRoute({
  submit(job) {
    if (jobs.push(job) === 2) setImmediate(() => jobs.forEach(({ settle }) => settle(DECIDED)));
    return "accepted";
  },
  journalIsFull: () => false,
  lookUpMerchant: () => null,
  metrics: createMetrics(),
  trace() {
    if (errors.length === 0) throw BUG;
  },
});
const DECIDED = {
  kind: "decided",
  body: '{"decided":true}',
  action: "route",
  decisionMode: "enforce",
  model: "deterministic-v1",
  latencyMs: 1,
  retryNotBeforeMs: null,
} as const;

let server: HttpServer;
const errors: unknown[] = [];
before(async () => {
  server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    routes: [
      route("/throws", () => {
        throw BUG;
      }),
      route("/rejects", async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        throw BUG;
      }),
      route("/answers-then-rejects", async (exchange) => {
        exchange.send(200, "{}");
        await Promise.reject(BUG);
      }),
      route("/fine", (exchange) => exchange.send(200, '{"fine":true}')),
      decision,
    ],
    admit: (scoped, exchange, params) => scoped.handle(exchange, GRANT, params, "{}"),
    admitSession: () => assert.fail("no route here asks for a session"),
    admitAttempt: () => assert.fail("no route here counts attempts"),
    trustProxyHops: 0,
    observerOf: () => () => undefined,
    nextRequestId,
    onHandlerError: (error) => errors.push(error),
  });
  closeLater(() => server.stop(1000));
});

const get = async (path: string, method = "GET") => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("500", () => {
  for (const path of ["/throws", "/rejects"]) {
    it(`ERR-3, ERR-18: answers a handler that ${path.slice(1)} with 500, and the next request with 200`, async () => {
      errors.length = 0;
      for (let round = 0; round < 3; round++) {
        const { status, headers, text } = await get(path);
        assert.equal(status, 500);
        assert.deepEqual(JSON.parse(text), {
          statusCode: 500,
          message: "Internal server error",
          error: "Internal Server Error",
        });
        assert.match(headers.get("x-request-id") ?? "", REQUEST_ID);
        assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
        const next = await get("/fine");
        assert.deepEqual([next.status, next.text], [200, '{"fine":true}']);
      }
      assert.deepEqual(errors, [BUG, BUG, BUG]);
    });
  }

  it("answers a decision that hits a bug on its way back with 500, and still answers the next one of its batch", async () => {
    errors.length = 0;
    const answers = await Promise.all([get("/v1/decision", "POST"), get("/v1/decision", "POST")]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 500],
    );
    assert.deepEqual(errors, [BUG]);
  });

  it("leaves an answer unchanged that was already sent", async () => {
    const { status, text } = await get("/answers-then-rejects");
    assert.deepEqual([status, text], [200, "{}"]);
    assert.equal((await get("/fine")).status, 200);
  });
});
