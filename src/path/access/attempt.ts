/** Runs what asks PostgreSQL; `unavailable` where it does not answer in time. A write may then still be carried out. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;
