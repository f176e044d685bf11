import { pino, stdSerializers, type Logger as PinoLogger } from "pino";
import type { LogLevel } from "../settings/settings.js";

/**
 * A logger that writes JSON lines to stderr. TELE-10: log only decision ids, hashed merchant ids, amount buckets,
 * providers, reason codes, request ids and timings. Never log a body, a key or a header.
 */
export type Logger = PinoLogger;

/**
 * Keeps only the loggable parts of an error. PostgreSQL's errors contain the refused row in other properties: `detail`
 * ("Key (email)=(…) already exists") and `where` (a line of a COPY). pino would write all properties.
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
  // Writes are synchronous, so that the last lines of a dying process are not lost.
  const destination = pino.destination({ dest: 2, sync: true, maxLength: UNWRITTEN_BYTES_MAX });
  // An error on stderr, such as a closed terminal or a full disk, must not end the service or block its stop.
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
