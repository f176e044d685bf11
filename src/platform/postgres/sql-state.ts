/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/**
 * Connection exception, insufficient resources, operator intervention and system error: PostgreSQL is away or busy,
 * which database-watch.ts reports. A full disk (53100) counts as a refusal.
 */
const AWAY = /^(?:08|53(?!100)|57|58)/;

/**
 * The SQLSTATE of an error, or null if the error did not come from PostgreSQL. Log it in place of the error's texts,
 * which may contain submitted text.
 */
export function sqlStateOf(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && SQL_STATE.test(code) ? code : null;
}

/**
 * The SQLSTATE with which PostgreSQL refuses a statement, such as `42501` for a missing right. Null if the error did
 * not come from PostgreSQL, or says only that PostgreSQL is away.
 */
export function refusalOf(error: unknown): string | null {
  const sqlState = sqlStateOf(error);
  return sqlState === null || AWAY.test(sqlState) ? null : sqlState;
}
