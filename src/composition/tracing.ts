import { TUNING } from "../domain/vocabulary/tuning.js";
import { type HttpServerOptions, inTurn } from "../path/front/server.js";
import { amountBucket } from "../features/decisions/amount-bucket.js";
import type { RequestLog } from "../features/request-log/service.js";
import type { Logger } from "../platform/telemetry/logger.js";
import type { Metrics } from "../platform/telemetry/metrics.js";
import { createSpanExporter } from "../platform/telemetry/span-exporter.js";
import { createTracer, type Tracer } from "../platform/telemetry/tracer.js";
import { withinCloseTimeout, type Closers } from "./closers.js";
import { now } from "../platform/timing/clock.js";

/** `endpoint` is OTEL_EXPORTER_OTLP_ENDPOINT. Returns null if it is not set, and then nothing is traced. */
export function composeTracer(endpoint: string | null, log: Logger, closers: Closers): Tracer | null {
  if (endpoint === null) return null;
  const exporter = createSpanExporter({
    endpoint,
    timeoutMs: TUNING.spanExportTimeoutMs,
    onChange: (reason) => {
      if (reason === null) log.info("the collector takes traces again");
      else log.warn({ reason }, "the collector takes no traces; they are dropped");
    },
  });
  closers.push(() => withinCloseTimeout(exporter.close()));
  return createTracer({ exporter, amountBucket, now });
}

/** Measures every route. Logs and traces only the routes below /v1. */
export function observerOfRoutes(
  metrics: Metrics,
  requestLog: RequestLog,
  tracer: Tracer | null,
): HttpServerOptions["observerOf"] {
  return (route, method) => {
    const count = metrics.httpObserver(route);
    // A request that matches no route is refused before its key is examined, so it is only counted.
    if (!route.startsWith("/v1/") || method === null) return count;
    const note = requestLog.observerOf(method, route);
    const trace = tracer?.observer(route) ?? null;
    return inTurn(trace === null ? [count, note] : [count, note, trace]);
  };
}
