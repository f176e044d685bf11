import { createLogCopyMetrics } from "./log-copy-metrics.js";
import { createMirrorMetrics } from "./mirror-metrics.js";

/** The metrics of the copies that other servers have: of the journal and of the log. */
export const createCopyMetrics = (makers: Parameters<typeof createMirrorMetrics>[0]) => ({
  mirror: createMirrorMetrics(makers),
  logCopy: createLogCopyMetrics(makers),
});
