import { createHash } from "node:crypto";

/** One value of a row. PostgreSQL and Parquet give the same types. */
export type ArchivedValue = string | number | bigint | Uint8Array | null;

/** RET-11: hashes rows in their order. The rows from PostgreSQL and the rows from the file give the same hash. */
export class RowHash {
  readonly #hash = createHash("sha256");
  rows = 0;

  add(row: readonly ArchivedValue[]): void {
    this.rows++;
    // A call of the hash function is expensive, so all texts of a row go into one call.
    let text = "";
    for (const value of row) {
      // Each value is preceded by its length, so that no other division into values gives the same bytes.
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
