/**
 * Runs work that asks PostgreSQL. Resolves to `unavailable` if PostgreSQL does not answer in time. A write may then
 * still be committed.
 */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;
