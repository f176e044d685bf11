import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { EXPORT_TUNING } from "../queries/export-tuning.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import { addChunk, type Job, type Progress } from "../queries/lease.js";

const compress = promisify(gzip);
/** A higher level takes twice as long and saves only a few percent. */
const GZIP_LEVEL = 1;

/** EXP-9: thrown if the file exceeds the limit. */
export class TooLarge extends Error {}
/** Thrown if another node has taken the job, or if the export was deleted. */
export class LeaseLost extends Error {}

/** Cuts a file into pieces, and stores each piece once it is full. */
export class FileWriter {
  readonly #hash = createHash("sha256");
  #parts: Uint8Array[] = [];
  #heldBytes = 0;
  #storedBytes = 0;

  constructor(
    private readonly pool: Queryable,
    private readonly job: Job,
    /** Returns the number of rows written so far. */
    private readonly progress: () => Omit<Progress, "bytes">,
    /** EXP-9: the writer throws TooLarge for a larger file. */
    private readonly bytesMax: number,
  ) {}

  get storedBytes(): number {
    return this.#storedBytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#parts.push(bytes);
    this.#heldBytes += bytes.byteLength;
    if (this.#heldBytes < EXPORT_TUNING.chunkBytes) return;
    const held = Buffer.concat(this.#parts);
    let offset = 0;
    for (; held.byteLength - offset >= EXPORT_TUNING.chunkBytes; offset += EXPORT_TUNING.chunkBytes) {
      await this.#store(held.subarray(offset, offset + EXPORT_TUNING.chunkBytes));
    }
    this.#parts = [held.subarray(offset)];
    this.#heldBytes = held.byteLength - offset;
  }

  /** Stores the rest. Returns the size and the hash of the whole file. */
  async end(): Promise<{ bytes: number; sha256: Buffer }> {
    if (this.#heldBytes > 0) await this.#store(Buffer.concat(this.#parts));
    return { bytes: this.#storedBytes, sha256: this.#hash.digest() };
  }

  async #store(raw: Buffer): Promise<void> {
    const rawOffset = this.#storedBytes;
    const bytes = rawOffset + raw.byteLength;
    if (bytes > this.bytesMax) throw new TooLarge();
    const content = this.job.format === "parquet" ? raw : await compress(raw, { level: GZIP_LEVEL });
    const chunk = { rawOffset, rawBytes: raw.byteLength, content };
    if (!(await addChunk(this.pool, this.job, chunk, { ...this.progress(), bytes }))) throw new LeaseLost();
    this.#storedBytes = bytes;
  }
}
