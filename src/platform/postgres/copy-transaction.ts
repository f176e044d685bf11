import pg, { type ClientBase, type Connection } from "pg";

/**
 * One statement of the transaction: plain SQL, or a `COPY … FROM STDIN` with the bytes it reads. `name` is the table it
 * fills or the function it calls, for the log: the statement itself may hold content.
 */
export type TransactionStep = { name: string; sql: string; copyBytes?: Uint8Array };

export interface CopyTransactionOptions {
  /** Hears which step the server is at. */
  onStep?(this: void, name: string): void;
  /** `rollback`: only tells whether PostgreSQL takes the steps. */
  end?: "commit" | "rollback";
}

/**
 * Runs `steps` as one transaction in one round trip: all statements travel as a single simple query, and the bytes of
 * every COPY follow at once without waiting for the server to ask. When a statement fails, the server skips the rest and
 * ignores the copy messages that are still coming ("Message Flow" › "COPY Operations" in the PostgreSQL protocol).
 * Rejects with that error after rolling back; with a connection error it is unknown whether the commit happened.
 * `steps` hold no user input: values go through COPY. Resolves to what the
 * steps answered in rows of several columns, as text, the rows of all steps together.
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
    // Only an error of the server leaves a connection that can be used again.
    if (error instanceof pg.DatabaseError) await client.query("rollback");
    throw error;
  }
}

export type AnsweredRow = (string | null)[];

const BEGIN: TransactionStep = { name: "begin", sql: "begin" };

/** What node-postgres calls while our query is the active one (`Submittable`, and the handlers its `Query` has). */
class CopyTransaction {
  /** Named so for node-postgres, which wraps it to clear its query timeout. */
  callback: (error?: Error | null) => void;
  readonly rows: AnsweredRow[] = [];

  constructor(
    readonly text: string,
    readonly copies: readonly Uint8Array[],
    private readonly handlers: {
      resolve(rows: AnsweredRow[]): void;
      reject(error: Error): void;
      /** The server has done one more of the statements. */
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
    // Functions without a result answer one empty column.
    if (fields.length > 1) this.rows.push(fields);
  }
  handleEmptyQuery(): void {}
}

const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
