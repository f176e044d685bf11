/** All are counted from 0. A counter that first appears at 1 has no increase, so no alert would notice the first. */
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
