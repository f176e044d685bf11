import { createHash } from "node:crypto";
import { monotonicMs } from "../timing/clock.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { Span } from "./otlp-json.js";
import type { SpanExporter } from "./span-exporter.js";
import { newSpanId, newTraceId, parseTraceparent } from "./trace-context.js";

/** The parts of a request that a span needs. Times come from `monotonicMs`. */
export interface TracedRequest {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly bodyReceivedAtMs: number;
  readonly head: { readonly traceparent: string | undefined };
}

export interface Tracer {
  /** Returns a function that creates the span of each answered request of a route, if its trace is sampled. */
  observer(route: string): (status: number, seconds: number, request: TracedRequest) => void;
  /** Call this before a decision is sent, with its validated body (null for a replayed reply) and the reply. */
  noteDecision(request: TracedRequest, workspaceId: string, body: string | null, reply: string): void;
}

export interface TracerOptions {
  exporter: Pick<SpanExporter, "add">;
  amountBucket(amountMinor: number): string;
  /** Unix milliseconds. */
  now(): number;
}

interface Noted {
  workspaceId: string;
  body: string | null;
  reply: string;
}

/**
 * TELE-11: creates a span for each sampled request. For a decision request, a second span inside it covers only the
 * decision. If the caller sends `traceparent`, that header says whether to sample. Of requests without the header, a
 * few a second are sampled. Attributes contain only safe fields.
 */
export function createTracer({ exporter, amountBucket, now }: TracerOptions): Tracer {
  const noted = new WeakMap<TracedRequest, Noted>();
  const sampleRoot = createRootSampler(now);

  const contextOf = ({ head }: TracedRequest): Pick<Span, "traceId" | "parentSpanId"> | null => {
    const caller = head.traceparent === undefined ? null : parseTraceparent(head.traceparent);
    if (caller !== null) return caller.sampled ? caller : null;
    return sampleRoot() ? { traceId: newTraceId(), parentSpanId: null } : null;
  };

  return {
    observer(route) {
      return (status, seconds, request) => {
        const context = contextOf(request);
        if (context === null) return;
        const { traceId, parentSpanId } = context;
        const unixOffsetMs = now() - monotonicMs();
        const startMs = unixOffsetMs + request.startedAtMs;
        const server: Span = {
          traceId,
          parentSpanId,
          spanId: newSpanId(),
          name: route,
          kind: "server",
          startMs,
          endMs: startMs + seconds * 1000,
          attributes: {
            "http.route": route,
            "http.response.status_code": status,
            "payinference.request_id": request.requestId,
          },
          failed: status >= 500,
        };
        exporter.add(server);
        const decision = noted.get(request);
        if (decision === undefined) return;
        exporter.add({
          ...server,
          parentSpanId: server.spanId,
          spanId: newSpanId(),
          name: "decide",
          kind: "internal",
          startMs: unixOffsetMs + request.bodyReceivedAtMs,
          attributes: decisionAttributes(decision, amountBucket),
        });
      };
    },
    noteDecision(request, workspaceId, body, reply) {
      noted.set(request, { workspaceId, body, reply });
    },
  };
}

/** Returns a function that is true for the first TUNING.rootTracesPerSecondMax calls of each second. */
function createRootSampler(now: () => number): () => boolean {
  let second = 0;
  let sampledCount = 0;
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      sampledCount = 0;
    }
    return sampledCount++ < TUNING.rootTracesPerSecondMax;
  };
}

/** TELE-10: only decision id, hashed merchant id, amount bucket, provider, reason codes and timings are safe. */
function decisionAttributes(
  { workspaceId, body, reply }: Noted,
  amountBucket: (amountMinor: number) => string,
): Span["attributes"] {
  // A worker has already read the body and written the reply. Parsing both here costs little, because few requests are
  // sampled.
  const request = body === null ? null : (JSON.parse(body) as { transaction: { amount: number } });
  const decision = JSON.parse(reply) as {
    decision_id: string;
    merchant_id: string;
    route: { primary_provider: string } | null;
    reason_codes: string[];
    decision_latency_ms: number;
  };
  return {
    "payinference.decision_id": decision.decision_id,
    // The hash includes the workspace's id. Otherwise anybody could find a merchant by hashing likely names.
    "payinference.merchant_hash": createHash("sha256")
      .update(`${workspaceId}\n${decision.merchant_id}`)
      .digest("hex")
      .slice(0, 16),
    ...(request !== null && { "payinference.amount_bucket": amountBucket(request.transaction.amount) }),
    ...(decision.route !== null && { "payinference.provider": decision.route.primary_provider }),
    "payinference.reason_codes": decision.reason_codes,
    "payinference.decision_latency_ms": decision.decision_latency_ms,
  };
}
