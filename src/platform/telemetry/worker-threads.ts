/**
 * The threads whose crash counters are created with 0. A counter that first appears at 1 shows no increase, so no alert
 * would fire.
 */
export const WORKER_THREADS = [
  "decide",
  "writer",
  "prober",
  "reader",
  "password",
  "translate",
  "events",
  "exports",
  "erasures",
  "mail",
  "log-copy",
] as const;
export type WorkerThread = (typeof WORKER_THREADS)[number];
