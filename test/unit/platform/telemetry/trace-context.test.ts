import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { toOtlpJson } from "../../../../src/platform/telemetry/otlp-json.js";
import { newSpanId, newTraceId, parseTraceparent } from "../../../../src/platform/telemetry/trace-context.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("telemetry: traceparent", () => {
  for (const [header, sampled] of [
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-says`, true],
  ] as const) {
    it(`takes ${header}`, () => {
      assert.deepEqual(parseTraceparent(header), { traceId: TRACE, parentSpanId: SPAN, sampled });
    });
  }
  for (const header of [
    "",
    "00",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-0x`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ]) {
    it(`refuses "${header}"`, () => {
      assert.equal(parseTraceparent(header), null);
    });
  }

  it("reads back the ids it makes", () => {
    const [traceId, parentSpanId] = [newTraceId(), newSpanId()];
    const read = parseTraceparent(`00-${traceId}-${parentSpanId}-01`);
    assert.deepEqual(read, { traceId, parentSpanId, sampled: true });
  });
});

describe("telemetry: OTLP/HTTP JSON", () => {
  it("keeps every nanosecond that a time has", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.nat({ max: 3 }), (wholeMs, quarters) => {
        const startMs = wholeMs + quarters / 4;
        const span = { traceId: TRACE, spanId: SPAN, parentSpanId: null, name: "n", attributes: {} };
        const json = toOtlpJson([{ ...span, kind: "server", startMs, endMs: startMs, failed: false }], "s");
        const nanoseconds = BigInt(wholeMs) * 1_000_000n + BigInt(quarters * 250_000);
        assert.ok(json.includes(`"startTimeUnixNano":"${nanoseconds}"`));
      }),
    );
  });
});
