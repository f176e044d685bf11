import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { DecisionJob } from "../../../src/path/decide/pool/decision-pool.js";
import type { DecideAnswer } from "../../../src/path/decide/pool/messages.js";
import type { ApiKeyGrant } from "../../../src/path/access/grant.js";
import { startHttpServer, type HttpServer } from "../../../src/path/front/server.js";
import { decisionRoute } from "../../../src/path/front/decision-route.js";
import { createMetrics } from "../../../src/platform/telemetry/metrics.js";
import { closeLater } from "../../support/closing.js";
import { nextRequestId } from "../../support/service/request-ids.js";

const GRANT = { workspaceId: "ws_1", mode: "test", merchantScope: null } as ApiKeyGrant;
const UNKNOWN: DecideAnswer = { kind: "forbidden", reason: "unknown_merchant" };
const DECIDED: DecideAnswer = {
  kind: "decided",
  body: '{"decided":true}',
  action: "route",
  decisionMode: "enforce",
  model: "deterministic-v1",
  latencyMs: 1,
  retryNotBeforeMs: null,
};

let server: HttpServer;
/** The answers of the workers, in order. */
let answers: DecideAnswer[];
/** What the look-up of a merchant finds. Null means that the node has every merchant already. */
let found: boolean | null;
let looked: string[];
before(async () => {
  const route = decisionRoute({
    submit({ settle }: DecisionJob) {
      setImmediate(() => settle(answers.shift() ?? UNKNOWN));
      return "accepted";
    },
    journalIsFull: () => false,
    lookUpMerchant(workspaceId, merchantId) {
      looked.push(`${workspaceId} ${merchantId}`);
      return found === null ? null : Promise.resolve(found);
    },
    metrics: createMetrics(),
    trace: null,
  });
  server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    routes: [route],
    admit: (scoped, exchange, params) => scoped.handle(exchange, GRANT, params, '{"merchant_id":"m"}'),
    admitSession: () => assert.fail("no route here asks for a session"),
    admitAttempt: () => assert.fail("no route here counts attempts"),
    trustProxyHops: 0,
    observerOf: () => () => undefined,
    nextRequestId,
    onHandlerError: (error) => assert.fail(String(error)),
  });
  closeLater(() => server.stop(0));
});
beforeEach(() => {
  answers = [];
  looked = [];
});

const statusOf = async (): Promise<number> =>
  (await fetch(`http://127.0.0.1:${server.port}/v1/decision`, { method: "POST" })).status;

describe("NODE-3: a node that lacks a merchant looks it up before it refuses", () => {
  it("decides for a merchant that is found", async () => {
    found = true;
    answers = [UNKNOWN, DECIDED];
    assert.equal(await statusOf(), 200);
    assert.deepEqual(looked, ["ws_1 m"]);
  });

  it("refuses a merchant that does not exist, after one look-up", async () => {
    found = true;
    answers = [UNKNOWN, UNKNOWN];
    assert.equal(await statusOf(), 403);
    assert.deepEqual([looked, answers], [["ws_1 m"], []]);
  });

  it("answers 503, and not 403, if the look-up fails", async () => {
    found = false;
    answers = [UNKNOWN];
    assert.equal(await statusOf(), 503);
  });

  it("refuses at once if the node has every merchant", async () => {
    found = null;
    answers = [UNKNOWN];
    assert.equal(await statusOf(), 403);
  });
});
