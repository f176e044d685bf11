import { createHash } from "node:crypto";

/** One value of a row, as PostgreSQL is read and as Parquet is read back. */
export type ArchivedValue = string | number | bigint | Uint8Array | null;

/** RET-11: a hash over rows in their order. It is the same for what PostgreSQL gave and for what the file gives back. */
export class RowHash {
  readonly #hash = createHash("sha256");
  rows = 0;

  add(row: readonly ArchivedValue[]): void {
    this.rows++;
    // A call of the hash costs more than its bytes, so a row's texts go in one.
    let text = "";
    for (const value of row) {
      // With its length first, no value is taken for the end of the one before.
      if (value instanceof Uint8Array) {
        this.#hash.update(`${text}b${value.byteLength}:`).update(value);
        text = "";
      } else if (value === null) {
        text += "n";
      } else {
        const written = String(value);
        text += `${typeof value === "string" ? "s" : "i"}${written.length}:${written}`;
      }
    }
    this.#hash.update(text);
  }

  hex(): string {
    return this.#hash.digest("hex");
  }
}
