/** One span. Times are Unix milliseconds, and ids are lower-case hexadecimal. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: "server" | "internal";
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, string | number | readonly string[]>>;
  failed: boolean;
}

/** The numbers of OTLP's enums in JSON: https://opentelemetry.io/docs/specs/otlp/, section "OTLP/HTTP". */
const KINDS = { internal: 1, server: 2 } as const;
const STATUS_ERROR = 2;

/** Returns an ExportTraceServiceRequest as JSON text. */
export function toOtlpJson(spans: readonly Span[], serviceName: string): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes({ "service.name": serviceName }) },
        scopeSpans: [{ scope: { name: serviceName }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  });
}

function toOtlpSpan({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failed }: Span) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: toAttributes(attributes),
    status: failed ? { code: STATUS_ERROR } : {},
  };
}

/**
 * Nanoseconds since 1970 have more digits than a JavaScript number can hold. So whole milliseconds are converted as a
 * BigInt, and the remainder is added.
 */
function toNanoseconds(timeMs: number): string {
  const wholeMs = Math.floor(timeMs);
  return String(BigInt(wholeMs) * 1_000_000n + BigInt(Math.round((timeMs - wholeMs) * 1e6)));
}

function toAttributes(attributes: Span["attributes"]) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: string | number | readonly string[]): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") {
    // OTLP's JSON has 64-bit integers as text.
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
}
