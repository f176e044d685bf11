import { pino, type Logger as PinoLogger } from "pino";
import type { LogLevel } from "../config/settings.js";

/**
 * JSON lines on stderr. contract §9: only decision ids, hashed merchant ids, amount buckets, providers, reason
 * codes, request ids and timings ever reach a line; never a body, a key or a header.
 */
export type Logger = PinoLogger;

export function createLogger(level: LogLevel): Logger {
  // Synchronous: the last words of a process that dies are the ones that matter.
  return pino(
    { level, base: { service: "payinference" }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
