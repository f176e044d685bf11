import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { freePort } from "../../support/machine/free-port.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createWorkspace } from "../../support/people/tenants.js";
import {
  startTraceCollector,
  type CollectedSpan,
  type TraceCollector,
} from "../../support/service/trace-collector.js";

const SPAN = "00f067aa0ba902b7";
const traceId = (digit: string): string => digit.repeat(32);
const traceparent = (trace: string, flags = "01"): string => `00-${trace}-${SPAN}-${flags}`;

let service: RunningService;
let collector: TraceCollector;
before(async () => {
  collector = await startTraceCollector();
  service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
});

/** Resolves once `count` spans of the trace have arrived. */
async function spansOf(trace: string, count: number): Promise<CollectedSpan[]> {
  const found = (): CollectedSpan[] => collector.spans.filter((span) => span.traceId === trace);
  await eventually(async () => assert.equal(found().length, count));
  return found();
}

describe("traces (OpenTelemetry)", () => {
  it("TELE-10: a decision is a span of its caller's trace, the deciding is a span within it, and both have the safe fields", async () => {
    const headers = { traceparent: traceparent(traceId("a")), "x-request-id": "traced-1" };
    const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody(), headers });
    const [server, decide] = await spansOf(traceId("a"), 2);
    assert.ok(server !== undefined && decide !== undefined);
    assert.deepEqual(
      [server.name, server.kind, server.parentSpanId, server.failed],
      ["/v1/decision", 2, SPAN, false],
    );
    assert.deepEqual(server.attributes, {
      "http.route": "/v1/decision",
      "http.response.status_code": 200,
      "payinference.request_id": "traced-1",
    });
    assert.deepEqual([decide.name, decide.kind, decide.parentSpanId], ["decide", 1, server.spanId]);
    const { "payinference.merchant_hash": merchantHash, ...attributes } = decide.attributes;
    assert.match(String(merchantHash), /^[0-9a-f]{16}$/);
    assert.deepEqual(attributes, {
      "payinference.decision_id": json["decision_id"],
      "payinference.amount_bucket": "100k_500k",
      "payinference.provider": (json["route"] as { primary_provider: string }).primary_provider,
      "payinference.reason_codes": json["reason_codes"],
      "payinference.decision_latency_ms": json["decision_latency_ms"],
    });
    assert.ok(server.startNs <= decide.startNs && decide.startNs <= decide.endNs);
    assert.ok(decide.endNs <= server.endNs);
    // The time must be the current one, and not the time since the machine started.
    assert.ok(Math.abs(Number(server.startNs / 1_000_000n) - Date.now()) < 600_000);
  });

  it("a replay is traced with the fields of its first answer", async () => {
    const body = decisionBody();
    const key = { "idempotency-key": "traced" };
    const first = await send(service, "POST", "/v1/decision", { body, headers: key });
    const headers = { ...key, traceparent: traceparent(traceId("b")) };
    // A replay ignores the new body, and so does its trace.
    const other = decisionBody({ order_id: "order_other" });
    await send(service, "POST", "/v1/decision", { body: other, headers });
    const [, decide] = await spansOf(traceId("b"), 2);
    assert.equal(decide?.attributes["payinference.decision_id"], first.json["decision_id"]);
    assert.ok(!("payinference.amount_bucket" in (decide?.attributes ?? {})));
  });

  it("each refusal or read is one span, named by route and not by path", async () => {
    const headers = { traceparent: traceparent(traceId("c")) };
    const refused = await send(service, "POST", "/v1/decision", { body: "{", headers });
    const missing = await send(service, "GET", "/v1/decisions/dec_4111111111111111", { headers });
    const spans = await spansOf(traceId("c"), 2);
    // The ids are the service's own, as in the answers.
    assert.deepEqual(
      new Set(spans.map(({ attributes }) => attributes["payinference.request_id"])),
      new Set([refused, missing].map((reply) => reply.headers.get("x-request-id"))),
    );
    assert.deepEqual(
      spans
        .map(({ name, attributes }) => `${name} ${String(attributes["http.response.status_code"])}`)
        .toSorted(),
      ["/v1/decision 400", "/v1/decisions/:decisionId 404"],
    );
  });

  it("TELE-11: the caller decides: an unsampled trace leaves no span, and a malformed one starts a new trace", async () => {
    const unsampled = { traceparent: traceparent(traceId("d"), "00") };
    await send(service, "GET", "/v1/provider-health", { headers: unsampled });
    await send(service, "GET", "/v1/provider-health", {
      headers: { traceparent: "00-not-a-trace", "x-request-id": "malformed" },
    });
    await send(service, "GET", "/v1/provider-health", {
      headers: { traceparent: traceparent(traceId("e")) },
    });
    await spansOf(traceId("e"), 1);
    assert.deepEqual(await spansOf(traceId("d"), 0), []);
    const own = collector.spans.find(
      ({ attributes }) => attributes["payinference.request_id"] === "malformed",
    );
    assert.match(own?.traceId ?? "", /^[0-9a-f]{32}$/);
    assert.equal(own?.parentSpanId, undefined);
  });

  it("without a caller's trace a few requests a second are traced, but no liveness probes", async () => {
    const before = collector.spans.length;
    for (let i = 0; i < 200; i++) await send(service, "GET", i % 2 === 0 ? "/v1/provider-health" : "/health");
    await send(service, "GET", "/v1/provider-health", {
      headers: { traceparent: traceparent(traceId("f")) },
    });
    await spansOf(traceId("f"), 1);
    assert.ok(collector.spans.length > before + 1);
    assert.ok(collector.spans.every(({ name }) => name.startsWith("/v1/") || name === "decide"));
  });

  it("TELE-10: no order, merchant, amount or key is in a trace", async () => {
    await createWorkspace(service, { merchants: ["merchant_private"] });
    const order_id = "order_private";
    const previous_attempt = {
      provider: "provider_1",
      outcome: "declined",
      provider_reason_code: "private_code",
    };
    const body = decisionBody({ order_id, previous_attempt });
    const headers = { traceparent: traceparent(traceId("9")), "idempotency-key": "idempotency_private" };
    await send(service, "POST", "/v1/decision", { body, headers });
    await spansOf(traceId("9"), 2);
    const text = collector.text();
    for (const secret of [
      "private",
      '"129900"',
      "demo_merchant",
      "pi_test_",
      service.key,
      service.workspaceId,
      "dec_4111111",
    ]) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  for (const [what, endpoint] of [
    ["cannot be reached", async () => `http://127.0.0.1:${await freePort()}`],
    ["answers 500", async () => (await startTraceCollector(500)).url],
  ] as const) {
    it(`a collector that ${what} loses only its traces, and is logged once`, async () => {
      const other = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: await endpoint() });
      const decide = async (): Promise<number> => {
        const headers = { traceparent: traceparent(traceId("8")) };
        return (await send(other, "POST", "/v1/decision", { body: decisionBody(), headers })).status;
      };
      assert.equal(await decide(), 200);
      await eventually(async () => assert.match(other.log(), /the collector takes no traces/));
      assert.equal(await decide(), 200);
      assert.equal(await other.stop(), 0);
      assert.equal(other.log().match(/the collector takes no traces/g)?.length, 1);
    });
  }
});
