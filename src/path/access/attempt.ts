/**
 * Runs work that asks PostgreSQL. `unavailable` if it does not answer in time; a write may then still be carried out.
 */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T | "unavailable">;
