import { createLogCopyMetrics } from "./log-copy-metrics.js";
import { createMirrorMetrics } from "./mirror-metrics.js";

/** The metrics of the copies on other servers: the mirror of the journal, and the copy of the log. */
export const createCopyMetrics = (makers: Parameters<typeof createLogCopyMetrics>[0]) => ({
  mirror: createMirrorMetrics(makers),
  logCopy: createLogCopyMetrics(makers),
});
