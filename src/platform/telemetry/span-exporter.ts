import { TUNING } from "../../domain/vocabulary/tuning.js";
import { toOtlpJson, type Span } from "./otlp-json.js";

export interface SpanExporterOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT, without `/v1/traces`. */
  endpoint: string;
  /** How long the collector may take to answer. */
  timeoutMs: number;
  /** Called with an error when the collector stops accepting spans, and with null when it accepts them again. */
  onChange(error: string | null): void;
}

export interface SpanExporter {
  /** Queues a span. Drops the span if the queue is full: a trace may have gaps, but the service must not wait. */
  add(span: Span): void;
  /** Sends the queued spans, and gives up after a short time. */
  close(): Promise<void>;
}

/**
 * Sends spans by OTLP over HTTP with JSON, in batches. Spans that the collector refuses are dropped, not sent again.
 */
export function createSpanExporter({ endpoint, timeoutMs, onChange }: SpanExporterOptions): SpanExporter {
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  let queued: Span[] = [];
  let sending: Promise<void> | null = null;
  let isFailing = false;

  const note = (error: string | null): void => {
    if (isFailing !== (error !== null)) onChange(error);
    isFailing = error !== null;
  };
  const send = async (spans: readonly Span[]): Promise<void> => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: toOtlpJson(spans, "payinference"),
        signal: AbortSignal.timeout(timeoutMs),
      });
      // The response is read to its end, so that the connection can be reused.
      await response.arrayBuffer();
      note(response.ok ? null : `HTTP ${response.status}`);
    } catch (error) {
      note((error as Error).name);
    }
  };
  const flush = (): Promise<void> => {
    if (sending !== null || queued.length === 0) return sending ?? Promise.resolve();
    const spans = queued;
    queued = [];
    sending = send(spans).finally(() => (sending = null));
    return sending;
  };
  const timer = setInterval(() => void flush(), TUNING.spanExportIntervalMs);
  timer.unref();

  return {
    add(span) {
      if (queued.length < TUNING.spansQueuedMax) queued.push(span);
    },
    async close() {
      clearInterval(timer);
      await sending;
      await flush();
    },
  };
}
