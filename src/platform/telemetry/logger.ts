import { pino, stdSerializers, type Logger as PinoLogger } from "pino";
import type { LogLevel } from "../settings/settings.js";

/**
 * JSON lines on stderr. TELE-10: only decision ids, hashed merchant ids, amount buckets, providers, reason
 * codes, request ids and timings ever reach a line; never a body, a key or a header.
 */
export type Logger = PinoLogger;

/**
 * Only these parts of an error are logged. PostgreSQL's errors contain the refused row in other properties: `detail`
 * ("Key (email)=(…) already exists") and `where` (a line of a COPY). pino would write them all.
 */
const { err: serialize } = stdSerializers;
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = serialize(error) as Record<string, unknown>;
  return { type, message, stack, code };
}

/** The most bytes of lines that cannot be written yet. Further lines are dropped. */
const UNWRITTEN_BYTES_MAX = 2 ** 20;

export function createLogger(level: LogLevel): Logger {
  // Synchronous: the last words of a process that dies are the ones that matter.
  const destination = pino.destination({ dest: 2, sync: true, maxLength: UNWRITTEN_BYTES_MAX });
  // A closed terminal, or a full disk behind stderr, must neither end the service nor prevent a clean stop.
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
