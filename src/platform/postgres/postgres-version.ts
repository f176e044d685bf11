import type { ClientBase } from "pg";

/** Major versions, both included. */
export interface PostgresRange {
  from: number;
  to: number;
}

/** SET-3: one SQL serves all of these, and the tests run on each of them. */
export const SUPPORTED_POSTGRES: PostgresRange = { from: 15, to: 18 };

/** The server is of a version that is not supported. The message names both, in one line. */
export class PostgresVersionError extends Error {}

/** Rejects with PostgresVersionError before anything is asked that only some versions know. */
export async function assertSupportedPostgres(
  client: ClientBase,
  range: PostgresRange = SUPPORTED_POSTGRES,
): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
  const refusal = refusalOfVersion(Number(rows[0]?.server_version_num), range);
  if (refusal !== null) throw new PostgresVersionError(refusal);
}

/** `versionNum`: major · 10,000 + minor, which no beta or distributor changes. Null where the version is supported. */
export function refusalOfVersion(versionNum: number, { from, to }: PostgresRange): string | null {
  const major = Math.floor(versionNum / 10_000);
  if (major >= from && major <= to) return null;
  return `the server is version ${major}.${versionNum % 10_000}, and versions ${from} to ${to} are supported`;
}
