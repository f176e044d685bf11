import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import type { Span } from "../../../../src/platform/telemetry/otlp-json.js";
import { createSpanExporter } from "../../../../src/platform/telemetry/span-exporter.js";
import { createTracer, type TracedRequest } from "../../../../src/platform/telemetry/tracer.js";
import { startTraceCollector } from "../../../support/service/trace-collector.js";

function request(traceparent?: string): TracedRequest {
  return { requestId: "req_1", startedAtMs: 5, bodyReceivedAtMs: 6, head: { traceparent } };
}

describe("telemetry: which requests are traced", () => {
  it(`${TUNING.rootTracesPerSecondMax} requests a second without a trace are traced, and each sampled one is`, () => {
    const spans: Span[] = [];
    let nowMs = 1000;
    const tracer = createTracer({
      exporter: { add: (span) => void spans.push(span) },
      amountBucket: () => "lt_1k",
      now: () => nowMs,
    });
    const observe = tracer.observer("/v1/provider-health");
    for (let i = 0; i < 3 * TUNING.rootTracesPerSecondMax; i++) observe(200, 0.001, request());
    assert.equal(spans.length, TUNING.rootTracesPerSecondMax);
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, spans.length);
    for (let i = 0; i < 50; i++) observe(200, 0.001, request(`00-${"a".repeat(32)}-${"b".repeat(16)}-01`));
    assert.equal(spans.length, TUNING.rootTracesPerSecondMax + 50);
    nowMs += 1000;
    observe(503, 0.001, request());
    assert.equal(spans.length, TUNING.rootTracesPerSecondMax + 51);
    assert.deepEqual([spans.at(-1)?.failed, spans.at(0)?.failed], [true, false]);
  });
});

describe("telemetry: the exporter", () => {
  it("holds a bounded number of spans, sends them as one request, and drops the rest", async () => {
    const collector = await startTraceCollector();
    const exporter = createSpanExporter({
      endpoint: collector.url,
      timeoutMs: 60_000,
      onChange: () => undefined,
    });
    const span: Span = {
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      parentSpanId: null,
      name: "/v1/outcomes",
      kind: "server",
      startMs: 1,
      endMs: 2,
      attributes: {},
      failed: false,
    };
    for (let i = 0; i < TUNING.spansQueuedMax + 10; i++) exporter.add(span);
    await exporter.close();
    assert.deepEqual([collector.requests(), collector.spans.length], [1, TUNING.spansQueuedMax]);
  });
});
