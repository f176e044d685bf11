import type { ClientBase } from "pg";

/** The first and the last major version of a range. */
export interface PostgresRange {
  from: number;
  to: number;
}

/** SET-3: one set of SQL serves all of these versions, and the tests run on each of them. */
export const SUPPORTED_POSTGRES: PostgresRange = { from: 15, to: 18 };

/** The server's version is not supported. The message names, in one line, that version and the supported ones. */
export class PostgresVersionError extends Error {}

/**
 * Rejects with PostgresVersionError if the version is not in `range`. Call it before statements that only some versions
 * know.
 */
export async function assertSupportedPostgres(
  client: ClientBase,
  range: PostgresRange = SUPPORTED_POSTGRES,
): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
  const refusal = refusalOfVersion(Number(rows[0]?.server_version_num), range);
  if (refusal !== null) throw new PostgresVersionError(refusal);
}

/**
 * The reason to refuse a version, or null if it is supported. `versionNum` is major · 10,000 + minor, also for betas
 * and distributors' builds.
 */
export function refusalOfVersion(versionNum: number, { from, to }: PostgresRange): string | null {
  const major = Math.floor(versionNum / 10_000);
  if (major >= from && major <= to) return null;
  return `the server is version ${major}.${versionNum % 10_000}, and versions ${from} to ${to} are supported`;
}
