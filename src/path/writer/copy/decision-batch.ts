import type { CostRow } from "./cost-deltas.js";
import { type TransactionStep, CopyBuffer } from "../../../platform/postgres/copy-transaction.js";
import { weekOf, type DecisionWeek } from "./decision-week.js";
import type { DecisionRow, RowId, RowText } from "./decision-row.js";
import { LATENCY_UNITS_PER_MS } from "./rollup-columns.js";
import { idTimeMs } from "../../../domain/ids/ids.js";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { ByteRange } from "../../journal/decision-record.js";

/**
 * The most decisions per document block. With more, a block shrinks by a few per cent, but reading one document takes
 * longer. docs/performance-log.md has the figures, under 0024.
 */
export const SEGMENT_ROWS_MAX = 32;

const COLUMNS = `workspace_id, decision_id, segment_id, amount_minor, doc_offset, doc_bytes, latency_units, mode, decision_mode, action,
  payment_method, card_network, risk_band, country, merchant_id, order_id, currency, primary_provider, fallback_provider`;
const COLUMN_COUNT = 19;
/** Three uuids, one bigint, three integers, six smallints, six text lengths and the country. */
const FIXED_BYTES = 3 * 20 + 12 + 3 * 8 + 6 * 6 + 6 * 4 + 2;
/**
 * These columns are written only if a decision of the batch has real pricing, so that other batches do not pay for
 * them.
 */
const COST_COLUMNS = "cost_minor, cost_dearest_minor, cost_first_minor";
const COST_COLUMN_COUNT = 3;
const COST_BYTES = 3 * 12;

/** The costs by decision id. A look-up works because a batch's costs and decisions share their id objects. */
type Costs = ReadonlyMap<RowId, CostRow>;

/** The rows of one weekly partition, while the batch is encoded. */
interface Part {
  week: DecisionWeek;
  decisions: CopyBuffer;
  segments: CopyBuffer;
}

interface Chunk {
  week: DecisionWeek;
  rows: DecisionRow[];
}

/** The name of a document block. */
export interface SegmentName {
  workspaceId: RowId;
  segmentId: RowId;
}

export interface EncodedBatch {
  /** The document blocks that the batch adds. */
  segments: SegmentName[];
  /** One COPY of rows and one of document blocks for each week. */
  steps: TransactionStep[];
  /** One moment in each week whose partitions must exist. */
  weekStartsMs: number[];
}

/**
 * Turns decisions into COPY bytes. COPY names the partitions, which saves the routing of each row. It also must name
 * them, because PostgreSQL refuses COPY into the parents, which have row-level security. The bytes belong to the
 * encoder, and its next call overwrites them.
 */
export class DecisionBatchEncoder {
  #parts = new Map<string, Part>();
  #week: DecisionWeek = weekOf(0);
  readonly #segments = new SegmentEncoder();

  encode(rows: readonly DecisionRow[], costs: readonly CostRow[] = []): EncodedBatch {
    const costOf = costs.length === 0 ? null : new Map(costs.map((cost) => [cost.decisionId, cost]));
    const columns = costOf === null ? COLUMNS : `${COLUMNS}, ${COST_COLUMNS}`;
    // After a third week, all buffers are dropped, because decisions rarely return to an earlier week.
    if (this.#parts.size > 2) this.#parts.clear();
    const used = new Set<Part>();
    const segments: SegmentName[] = [];
    for (const chunk of this.#chunks(rows)) {
      const part = this.#part(chunk.week);
      if (!used.has(part)) {
        used.add(part);
        part.decisions.begin();
        part.segments.begin();
      }
      encodeChunk(part, chunk.rows, costOf, this.#segments);
      const { workspaceId, decisionId: segmentId } = chunk.rows[0] as DecisionRow;
      segments.push({ workspaceId, segmentId });
    }
    return {
      segments,
      steps: [...used].flatMap(({ week: { suffix }, decisions, segments }) => [
        {
          name: `decisions_${suffix}`,
          sql: `copy decisions_${suffix} (${columns}) from stdin (format binary)`,
          copyBytes: decisions.end(),
        },
        {
          name: `decision_segments_${suffix}`,
          sql: `copy decision_segments_${suffix} (workspace_id, segment_id, docs) from stdin (format binary)`,
          copyBytes: segments.end(),
        },
      ]),
      weekStartsMs: [...used].map((part) => part.week.startMs),
    };
  }

  /** Splits the rows into chunks, each of one workspace and week, in order, with at most SEGMENT_ROWS_MAX rows. */
  #chunks(rows: readonly DecisionRow[]): Chunk[] {
    const open = new Map<string, Chunk>();
    const chunks: Chunk[] = [];
    let before: RowId | null = null;
    let workspace = "";
    for (const row of rows) {
      const week = this.#weekOf(row.decisionId);
      // Consecutive rows mostly have the same workspace.
      if (before === null || !isSame(before, row.workspaceId)) workspace = keyOf(row.workspaceId);
      before = row.workspaceId;
      let chunk = open.get(workspace);
      if (chunk === undefined || chunk.rows.length >= SEGMENT_ROWS_MAX || chunk.week.suffix !== week.suffix) {
        chunk = { week, rows: [] };
        open.set(workspace, chunk);
        chunks.push(chunk);
      }
      chunk.rows.push(row);
    }
    return chunks;
  }

  #weekOf(decisionId: RowId): DecisionWeek {
    const timeMs = rowTimeMs(decisionId);
    if (timeMs < this.#week.startMs || timeMs >= this.#week.endMs) {
      const week = weekOf(timeMs);
      this.#week = this.#parts.get(week.suffix)?.week ?? week;
    }
    return this.#week;
  }

  #part(week: DecisionWeek): Part {
    let part = this.#parts.get(week.suffix);
    if (part === undefined) {
      part = { week, decisions: new CopyBuffer(1 << 18), segments: new CopyBuffer(1 << 19) };
      this.#parts.set(week.suffix, part);
    }
    return part;
  }
}

function encodeChunk(
  { decisions, segments }: Part,
  rows: readonly DecisionRow[],
  costOf: Costs | null,
  segmentEncoder: SegmentEncoder,
): void {
  const first = rows[0] as DecisionRow;
  const docs: DecisionRow["doc"][] = [];
  let offset = 0;
  for (const row of rows) {
    const { merchantId, orderId, currency, primaryProvider, fallbackProvider } = row;
    const textUnits =
      merchantId.length +
      orderId.length +
      currency.length +
      (primaryProvider?.length ?? 0) +
      (fallbackProvider?.length ?? 0);
    if (costOf === null) decisions.row(COLUMN_COUNT, FIXED_BYTES + 3 * textUnits);
    else decisions.row(COLUMN_COUNT + COST_COLUMN_COUNT, FIXED_BYTES + COST_BYTES + 3 * textUnits);
    decisions.id(row.workspaceId);
    decisions.id(row.decisionId);
    decisions.id(first.decisionId);
    decisions.int8(row.amountMinor);
    decisions.int4(offset);
    decisions.int4(row.doc.length);
    decisions.int4(Math.round(row.latencyMs * LATENCY_UNITS_PER_MS));
    decisions.int2(row.mode);
    decisions.int2(row.decisionMode);
    decisions.int2(row.action);
    decisions.int2(row.paymentMethod);
    if (row.cardNetwork === null) decisions.null();
    else decisions.int2(row.cardNetwork);
    decisions.int2(row.riskBand);
    decisions.text(row.country);
    decisions.text(merchantId);
    decisions.text(orderId);
    decisions.text(currency);
    writeProvider(decisions, primaryProvider);
    writeProvider(decisions, fallbackProvider);
    if (costOf !== null) writeCost(decisions, costOf.get(row.decisionId));
    docs.push(row.doc);
    offset += row.doc.length;
  }
  const bytes = segmentEncoder.encode(docs, offset);
  segments.row(3, 2 * 20 + 4 + bytes.length);
  segments.id(first.workspaceId);
  segments.id(first.decisionId);
  segments.bytes(bytes);
}

function writeProvider(copy: CopyBuffer, provider: RowText | null): void {
  if (provider === null || provider.length === 0) copy.null();
  else copy.text(provider);
}

function writeCost(copy: CopyBuffer, cost: CostRow | undefined): void {
  for (const amountMinor of [cost?.costMinor, cost?.dearestMinor, cost?.firstMinor]) {
    if (amountMinor === undefined || amountMinor === null) copy.null();
    else copy.int8(amountMinor);
  }
}

function isSame(a: RowId, b: RowId): boolean {
  return typeof a === "string" || typeof b === "string" ? a === b : a.equals(b);
}

function keyOf(id: RowId): string {
  return typeof id === "string" ? id : id.toString("latin1");
}

/** The Unix milliseconds in an id: its first 48 bits. */
export function rowTimeMs(id: RowId): number {
  return typeof id === "string" ? idTimeMs(id) : id.source.readUIntBE(id.start, 6);
}

/**
 * Quality 0 is the cheapest compression in Node. It takes 2.3 µs a document and leaves a seventh of the size. Deflate
 * level 1 takes 5 µs, and pglz in the server 14 µs (docs/performance-log.md, 0024).
 */
const SEGMENT_COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
/** Far above a document block's size: SEGMENT_ROWS_MAX documents, each much smaller than a megabyte. */
const SEGMENT_BYTES_MAX = 256 * 1024 ** 2;

/** Compresses document blocks one after another. The memory is reused for each block. */
export class SegmentEncoder {
  #docs = Buffer.allocUnsafeSlow(1 << 18);

  /** Compresses `docs` without gaps between them. `totalBytes` is the sum of their lengths. */
  encode(docs: readonly (ByteRange | Uint8Array)[], totalBytes: number): Uint8Array {
    if (totalBytes > this.#docs.length) this.#docs = Buffer.allocUnsafeSlow(2 * totalBytes);
    let at = 0;
    for (const doc of docs) {
      if (doc instanceof ByteRange) at = doc.copyTo(this.#docs, at);
      else {
        this.#docs.set(doc, at);
        at += doc.length;
      }
    }
    return brotliCompressSync(this.#docs.subarray(0, totalBytes), SEGMENT_COMPRESSION);
  }
}

/** The smallest piece that zlib accepts. */
const PIECE_BYTES_MIN = 64;
/** Node's default. */
const PIECE_BYTES = 16 * 1024;

/**
 * Returns the documents of a block, without gaps between them. It decompresses in the calling thread, because handing a
 * small block to libuv's threads would take longer. If `docsBytes` is where the last document ends, the result needs no
 * extra copy.
 */
export function decodeSegment(bytes: Uint8Array, docsBytes = PIECE_BYTES - 1): Buffer {
  return brotliDecompressSync(bytes, {
    maxOutputLength: SEGMENT_BYTES_MAX,
    // One more byte than the documents, because a chunk that is exactly full would be followed by an empty one.
    chunkSize: Math.max(PIECE_BYTES_MIN, docsBytes + 1),
  });
}

/** Marks an erased document. A document is JSON, so it never consists of blanks only. */
const BLANK = 0x20;

/**
 * RET-20: overwrites some documents of a block with blanks. The other documents keep their places. Returns null if no
 * document is left, so that the block itself can be deleted. `places` are in bytes of the uncompressed block.
 */
export function blankDocuments(
  packed: Uint8Array,
  places: readonly (readonly [offset: number, bytes: number])[],
): Buffer | null {
  const docs = decodeSegment(packed);
  for (const [offset, bytes] of places) docs.fill(BLANK, offset, offset + bytes);
  return docs.every((byte) => byte === BLANK) ? null : brotliCompressSync(docs, SEGMENT_COMPRESSION);
}
