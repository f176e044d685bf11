import pg, { type ClientBase, type Connection } from "pg";

/**
 * One statement of the transaction: plain SQL, or a `COPY … FROM STDIN` with the bytes that it reads. Log only `name`,
 * the table or function of the statement: the statement itself may contain submitted text.
 */
export type TransactionStep = { name: string; sql: string; copyBytes?: Uint8Array };

export interface CopyTransactionOptions {
  /** Called with the name of each step when the server begins it. */
  onStep?(this: void, name: string): void;
  /** `rollback` tests whether PostgreSQL accepts the steps, and changes nothing. */
  end?: "commit" | "rollback";
}

/**
 * Runs `steps` as one transaction in one round trip. All statements are sent as a single simple query. The bytes of
 * every COPY follow immediately, before the server asks for them. If a statement fails, the server skips the rest and
 * ignores copy messages that still arrive ("Message Flow" › "COPY Operations" in the PostgreSQL protocol).
 *
 * Put no user input into `steps`: values must go through COPY. Resolves to the rows of all steps together, as text.
 * Rows with a single column are left out. Rejects with the server's error after a rollback. After a connection error,
 * nobody knows whether the commit happened.
 */
export async function runCopyTransaction(
  client: ClientBase,
  steps: readonly TransactionStep[],
  { onStep = () => undefined, end = "commit" }: CopyTransactionOptions = {},
): Promise<AnsweredRow[]> {
  const all: TransactionStep[] = [BEGIN, ...steps, { name: end, sql: end }];
  const text = all.map((step) => step.sql).join(";\n");
  const copies = steps.flatMap(({ copyBytes }) => (copyBytes === undefined ? [] : [copyBytes]));
  let at = 0;
  const onCompleted = (): void => onStep(all[++at]?.name ?? end);
  onStep(BEGIN.name);
  try {
    return await new Promise<AnsweredRow[]>((resolve, reject) => {
      client.query(new CopyTransaction(text, copies, { resolve, reject, onCompleted }));
    });
  } catch (error) {
    // After an error of the server, a rollback makes the connection usable again. After any other error the connection
    // is broken.
    if (error instanceof pg.DatabaseError) await client.query("rollback");
    throw error;
  }
}

export type AnsweredRow = (string | null)[];

const BEGIN: TransactionStep = { name: "begin", sql: "begin" };

/** The functions that node-postgres calls while this query is active (`Submittable`, and the handlers of `Query`). */
class CopyTransaction {
  /** It must have this name, because node-postgres wraps it to clear its query timeout. */
  callback: (error?: Error | null) => void;
  readonly rows: AnsweredRow[] = [];

  constructor(
    readonly text: string,
    readonly copies: readonly Uint8Array[],
    private readonly handlers: {
      resolve(rows: AnsweredRow[]): void;
      reject(error: Error): void;
      /** Called when the server has completed one more statement. */
      onCompleted(): void;
    },
  ) {
    this.callback = (error) => (error ? handlers.reject(error) : handlers.resolve(this.rows));
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    stream.cork();
    connection.query(this.text);
    for (const bytes of this.copies) {
      const header = Buffer.allocUnsafe(5);
      header[0] = COPY_DATA;
      header.writeInt32BE(bytes.length + 4, 1);
      stream.write(header);
      stream.write(bytes);
      stream.write(COPY_DONE);
    }
    stream.uncork();
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleCopyInResponse(): void {}
  handleCommandComplete(): void {
    this.handlers.onCompleted();
  }
  handleRowDescription(): void {}
  handleDataRow({ fields }: { fields: AnsweredRow }): void {
    // A function without a result returns one empty column.
    if (fields.length > 1) this.rows.push(fields);
  }
  handleEmptyQuery(): void {}
}

const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
