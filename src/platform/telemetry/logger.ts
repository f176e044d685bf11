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

export function createLogger(level: LogLevel): Logger {
  // Synchronous: the last words of a process that dies are the ones that matter.
  return pino(
    {
      level,
      base: { service: "payinference" },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: safeError },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
