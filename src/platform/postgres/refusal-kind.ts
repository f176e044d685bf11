import { sqlStateOf } from "./sql-state.js";

/**
 * The cause of a refusal by PostgreSQL.
 * - `server`: the same statement may pass later. Wait, and try again.
 * - `row`: PostgreSQL will always refuse the statement for its content.
 * - `unclear`: either is possible. If PostgreSQL accepts another row of the same kind, the cause is the row.
 */
export type RefusalKind = "server" | "row" | "unclear";

/**
 * Kinds by class, which is the first two characters of a SQLSTATE. The order is that of
 * https://www.postgresql.org/docs/18/errcodes-appendix.html. A class that is not listed is unclear.
 */
const KINDS: Readonly<Record<string, RefusalKind>> = {
  // The first three classes are no errors. If a statement fails with one of them, the server does not work properly.
  "00": "server", // successful completion
  "01": "server", // warning
  "02": "server", // no data
  "03": "server", // SQL statement not yet complete
  "08": "server", // connection exception
  "09": "unclear", // triggered action exception
  "0A": "server", // feature not supported: another version, or a pooler
  "0B": "server", // invalid transaction initiation
  "0F": "server", // locator exception
  "0L": "server", // invalid grantor
  "0P": "server", // invalid role specification
  "0Z": "server", // diagnostics exception
  "10": "row", // XQuery error
  "20": "unclear", // case not found, in a function
  "21": "row", // cardinality violation
  "22": "row", // data exception
  "23": "row", // integrity constraint violation
  "24": "server", // invalid cursor state
  "25": "server", // invalid transaction state: a read-only standby among them
  "26": "server", // invalid SQL statement name: a pooler
  "27": "unclear", // triggered data change violation
  "28": "server", // invalid authorization specification
  "2B": "server", // dependent privilege descriptors still exist
  "2D": "server", // invalid transaction termination
  "2F": "unclear", // SQL routine exception
  "34": "server", // invalid cursor name
  "38": "unclear", // external routine exception
  "39": "unclear", // external routine invocation exception: a trigger's protocol among them
  "3B": "server", // savepoint exception
  "3D": "server", // invalid catalog name: the database is not there
  "3F": "server", // invalid schema name
  "40": "server", // transaction rollback: a deadlock
  // A missing right, table or function concerns every row, unless only a trigger's rare branch needs it.
  "42": "unclear", // syntax error or access rule violation
  "44": "row", // WITH CHECK OPTION violation
  "53": "server", // insufficient resources: a full disk
  "54": "row", // program limit exceeded: a value too large for an index
  "55": "server", // object not in prerequisite state: a lock that is not given
  "57": "server", // operator intervention: a shutdown, a statement's time
  "58": "server", // system error: a file that cannot be read
  "72": "server", // snapshot failure, up to PostgreSQL 16
  F0: "server", // configuration file error
  HV: "unclear", // foreign data wrapper error
  P0: "unclear", // PL/pgSQL error: a trigger raised it
  // Corruption concerns the rows of the damaged pages.
  XX: "unclear", // internal error
};

/**
 * Returns the kind of an error. Errors that did not come from PostgreSQL, such as a broken connection, are `server`.
 */
export function refusalKind(error: unknown): RefusalKind {
  const sqlState = sqlStateOf(error);
  return sqlState === null ? "server" : (KINDS[sqlState.slice(0, 2)] ?? "unclear");
}

/** Returns the classes of a kind. */
export function refusalClasses(kind: RefusalKind): string[] {
  return Object.keys(KINDS).filter((of) => KINDS[of] === kind);
}
