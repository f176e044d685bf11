import { randomBytes } from "node:crypto";

/**
 * The content of a traceparent header. Ids are lower-case hexadecimal.
 * https://www.w3.org/TR/trace-context/#traceparent-header
 */
export interface TraceContext {
  traceId: string;
  /** The id of the caller's span. */
  parentSpanId: string;
  sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * Returns null if the text is not a valid traceparent. Versions above 00 may add more after a hyphen. Version ff is
 * invalid.
 */
export function parseTraceparent(header: string): TraceContext | null {
  const [, version, traceId = "", parentSpanId = "", flags = "", more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return null;
  if (ZEROS.test(traceId) || ZEROS.test(parentSpanId)) return null;
  return { traceId, parentSpanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const newTraceId = (): string => randomBytes(16).toString("hex");
export const newSpanId = (): string => randomBytes(8).toString("hex");
