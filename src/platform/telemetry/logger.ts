import { pino, stdSerializers, type Logger as PinoLogger } from "pino";
import type { LogLevel } from "../settings/settings.js";

/**
 * JSON lines on stderr. TELE-10: only decision ids, hashed merchant ids, amount buckets, providers, reason
 * codes, request ids and timings ever reach a line; never a body, a key or a header.
 */
export type Logger = PinoLogger;

/**
 * Of an error no more than this: PostgreSQL's hold the row that was refused (`detail`, "Key (email)=(…) already exists";
 * `where`, a line of a COPY), which pino would write out with every other property.
 */
const { err: serialize } = stdSerializers;
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = serialize(error) as Record<string, unknown>;
  return { type, message, stack, code };
}

/** Of lines that cannot be written; more are dropped. */
const UNWRITTEN_BYTES_MAX = 2 ** 20;

export function createLogger(level: LogLevel): Logger {
  // Synchronous: the last words of a process that dies are the ones that matter.
  const destination = pino.destination({ dest: 2, sync: true, maxLength: UNWRITTEN_BYTES_MAX });
  // A terminal that was closed, or a full disk behind stderr, must not end the service, nor keep it from a clean stop.
  destination.on("error", () => undefined);
  return pino(
    {
      level,
      base: { service: "payinference" },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: safeError },
    },
    destination,
  );
}
