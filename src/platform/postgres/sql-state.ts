/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/**
 * Connection exception, insufficient resources, operator intervention, system error: PostgreSQL is away or busy, which is
 * told elsewhere. A full disk (53100) is no such thing.
 */
const AWAY = /^(?:08|53(?!100)|57|58)/;

/** What PostgreSQL says of an error; null for one that is not its word. The error's own texts may hold what was submitted. */
export function sqlStateOf(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && SQL_STATE.test(code) ? code : null;
}

/**
 * What PostgreSQL refuses a statement with, such as `42501` for a right that a role lacks; null for an error that is not
 * its word, or says no more than that it is away.
 */
export function refusalOf(error: unknown): string | null {
  const sqlState = sqlStateOf(error);
  return sqlState === null || AWAY.test(sqlState) ? null : sqlState;
}
