import { keepOpen } from "./closing.js";
import { FROZEN_PROBER } from "./frozen-health.js";
import { startTestService, type RunningService } from "./service.js";

/**
 * Services for all test files of a process, for those that ask for nothing of their own. They run two decide workers,
 * and without limits, because everything comes from one address. Files keep apart by workspaces
 * (test/support/tenants.ts) and neither stop such a service nor change what belongs to the whole node.
 */
const SHARED = {
  DECISION_WORKERS: "2",
  RATE_LIMIT_PER_MINUTE: "0",
  AUTH_RATE_LIMIT_PER_MINUTE: "0",
} as const;

let shared: Promise<RunningService> | undefined;
let frozen: Promise<RunningService> | undefined;

export function sharedTestService(): Promise<RunningService> {
  return (shared ??= keepOpen(() => startTestService(SHARED)));
}

/** One whose health the file gives it, with `freezeHealth`, before its first test. */
export function frozenTestService(): Promise<RunningService> {
  return (frozen ??= keepOpen(() => startTestService({ ...SHARED, ...FROZEN_PROBER })));
}
