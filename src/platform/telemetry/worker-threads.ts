/** Counted from 0 on: a counter that first shows up at 1 has no increase, and no alert would hear of the first. */
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
