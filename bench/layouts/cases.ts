import { brotliCompressSync, brotliDecompressSync, constants, deflateSync, inflateSync } from "node:zlib";
import { CopyBuffer } from "../../src/platform/postgres/copy-buffer.js";
import type { TransactionStep } from "../../src/platform/postgres/copy-transaction.js";
import type { BenchRow } from "./documents.js";
import { idToHex } from "../../src/domain/ids/ids.js";

/** One way to keep decisions. SQL parameters: $1 workspace uuid, and $2 what the question is about. */
export interface Layout {
  name: string;
  /** What `createTables` makes, for the size on disk. */
  createTables: string;
  encode(rows: readonly BenchRow[]): TransactionStep[];
  detailSql: string;
  newestPageSql: string;
  actionPageSql: string;
  orderSql: string;
  /** Undoes a compression of ours on `docs`, where the reads hand out whole segments. */
  decode?: (docs: Buffer) => Buffer;
}

type DocumentColumn = "jsonb" | "json" | "text";
type Compression = "none" | "pglz" | "deflate" | "brotli";

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 18 } };

interface SegmentOptions {
  chunkRows: number;
  compression: Compression;
  copyFormat?: "binary" | "text";
  /** text: workspace and order id; pair: workspace and a hash of the order id; one hash of both in a btree or a hash index. */
  orderIndex?: "text" | "pair" | "btree" | "hash" | "none";
  actionIndex?: "rare" | "all" | "none";
  partitioned?: boolean;
}

const ORDER_HASH = "hashtextextended(order_id, uuid_hash_extended(workspace_id, 0))";
const ORDER_INDEXES = {
  text: "(workspace_id, order_id)",
  pair: "(workspace_id, hashtextextended(order_id, 0))",
  btree: `(${ORDER_HASH})`,
  hash: `using hash (${ORDER_HASH})`,
};

const NARROW_COLUMNS = `workspace_id uuid not null, decision_id uuid not null, mode smallint not null,
  decision_mode smallint not null, action smallint not null, merchant_id text not null, order_id text not null,
  currency text not null, amount_minor bigint not null`;
const NARROW_NAMES =
  "workspace_id, decision_id, mode, decision_mode, action, merchant_id, order_id, currency, amount_minor";
/** Bytes of a narrow row's fixed fields in COPY, each with its length, and room for the field that follows. */
const NARROW_BYTES = 20 + 20 + 6 * 3 + 4 + 4 + 4 + 12 + 64;

/** Layout 1: everything in one jsonb document beside the key. */
export function wideJsonb(table: string): Layout {
  return inlineLayout(table, "wide row, jsonb document", "jsonb", "text");
}

/** Layout 2: narrow columns with the document in the row. */
export function inlineDocument(table: string, column: DocumentColumn, copyFormat: "binary" | "text"): Layout {
  return inlineLayout(
    table,
    `narrow columns, ${column} document inline, COPY ${copyFormat}`,
    column,
    copyFormat,
  );
}

function inlineLayout(
  table: string,
  name: string,
  column: DocumentColumn,
  copyFormat: "binary" | "text",
): Layout {
  const copy = new CopyBuffer(1 << 22);
  return {
    name,
    createTables: `create table ${table} (${NARROW_COLUMNS}, doc ${column} not null, primary key (workspace_id, mode, decision_id));
      ${indexes(table, { chunkRows: 0, compression: "none" })}`,
    encode(rows) {
      const sql = `copy ${table} (${NARROW_NAMES}, doc) from stdin`;
      if (copyFormat === "text")
        return [
          {
            name: table,
            sql,
            copyBytes: Buffer.from(rows.map((row) => textLine(row, docText(row))).join("")),
          },
        ];
      copy.begin();
      for (const row of rows) {
        narrowRow(copy, row, 10, row.doc.length + 4);
        copy.bytes(row.doc);
      }
      return [{ name: table, sql: `${sql} (format binary)`, copyBytes: copy.end() }];
    },
    ...readsOf(table, "doc::text as doc", "", { chunkRows: 0, compression: "none" }),
  };
}

/** Layout 3: narrow columns that point into one document per workspace and flush chunk. */
export function segments(table: string, options: SegmentOptions): Layout {
  const { chunkRows, compression, copyFormat = "binary", partitioned = false } = options;
  const narrow = new CopyBuffer(1 << 18);
  const documents = new CopyBuffer(1 << 22);
  const byPartition = partitioned ? " partition by range (decision_id)" : "";
  const segmentPartition = partitioned ? " partition by range (segment_id)" : "";
  const partitionSql = (name: string): string =>
    partitioned
      ? `create table ${name}_now partition of ${name} for values from (minvalue) to (maxvalue);`
      : "";
  const order = options.orderIndex ?? "hash";
  return {
    name: `segments of ${chunkRows}, ${compression}${copyFormat === "text" ? ", COPY text" : ""}, ${
      order === "none" ? "no order index" : `order index ${order}`
    }${options.actionIndex === undefined ? "" : `, action index ${options.actionIndex}`}${partitioned ? ", partitioned" : ""}`,
    createTables: `
      create table ${table} (${NARROW_COLUMNS}, segment_id uuid not null, doc_offset integer not null, doc_bytes integer not null,
        primary key (workspace_id, mode, decision_id))${byPartition};
      create table ${table}_segments (workspace_id uuid not null, segment_id uuid not null, docs bytea not null,
        primary key (workspace_id, segment_id))${segmentPartition};
      ${partitionSql(table)} ${partitionSql(`${table}_segments`)}
      alter table ${table}_segments${partitioned ? "_now" : ""} alter docs set storage ${compression === "pglz" ? "extended" : "external"};
      ${indexes(table, options)}`,
    encode(rows) {
      const lines: string[] = [];
      narrow.begin();
      documents.begin();
      for (const chunk of chunksOf(rows, chunkRows)) {
        const segmentId = chunk[0]?.decisionId ?? "";
        const segmentHex = idToHex(segmentId);
        let offset = 0;
        for (const row of chunk) {
          if (copyFormat === "text") {
            lines.push(textLine(row, `${segmentHex}\t${offset}\t${row.doc.length}`));
          } else {
            narrowRow(narrow, row, 12, 36);
            narrow.id(segmentId);
            narrow.int4(offset);
            narrow.int4(row.doc.length);
          }
          offset += row.doc.length;
        }
        const docs = chunk.map((row) => row.doc);
        documents.row(3, offset + 64);
        documents.id(chunk[0]?.workspaceId ?? "");
        documents.id(segmentId);
        if (compression === "deflate") documents.bytes(deflateSync(Buffer.concat(docs), { level: 1 }));
        else if (compression === "brotli") documents.bytes(brotliCompressSync(Buffer.concat(docs), BROTLI));
        else documents.concatenated(docs, offset);
      }
      const sql = `copy ${table} (${NARROW_NAMES}, segment_id, doc_offset, doc_bytes) from stdin`;
      return [
        copyFormat === "text"
          ? { name: table, sql, copyBytes: Buffer.from(lines.join("")) }
          : { name: table, sql: `${sql} (format binary)`, copyBytes: narrow.end() },
        {
          name: `${table}_segments`,
          sql: `copy ${table}_segments (workspace_id, segment_id, docs) from stdin (format binary)`,
          copyBytes: documents.end(),
        },
      ];
    },
    ...(compression === "deflate"
      ? { decode: inflateSync }
      : compression === "brotli"
        ? { decode: brotliDecompressSync }
        : {}),
    ...readsOf(
      table,
      compression === "deflate" || compression === "brotli"
        ? "s.docs, d.doc_offset, d.doc_bytes"
        : "substring(s.docs, d.doc_offset + 1, d.doc_bytes) as doc",
      `join ${table}_segments s on s.workspace_id = d.workspace_id and s.segment_id = d.segment_id`,
      options,
    ),
  };
}

function indexes(table: string, { orderIndex = "hash", actionIndex = "rare" }: SegmentOptions): string {
  const order = orderIndex === "none" ? "" : `create index on ${table} ${ORDER_INDEXES[orderIndex]};`;
  const action =
    actionIndex === "none"
      ? ""
      : `create index on ${table} (workspace_id, mode, action, decision_id)${actionIndex === "rare" ? " where action <> 0" : ""};`;
  return order + action;
}

function readsOf(
  table: string,
  doc: string,
  join: string,
  { orderIndex = "hash" }: SegmentOptions,
): Pick<Layout, "detailSql" | "newestPageSql" | "actionPageSql" | "orderSql"> {
  const byOneHash = `hashtextextended(d.order_id, uuid_hash_extended(d.workspace_id, 0)) = hashtextextended($2, uuid_hash_extended($1, 0)) and`;
  const byHash = {
    text: "",
    none: "",
    pair: "hashtextextended(d.order_id, 0) = hashtextextended($2, 0) and",
    btree: byOneHash,
    hash: byOneHash,
  }[orderIndex];
  const page = (where: string): string => `select ${doc} from (
      select * from ${table} d where workspace_id = $1 and mode = 0 ${where} order by decision_id desc limit 25) d ${join} order by d.decision_id desc`;
  return {
    detailSql: `select ${doc} from ${table} d ${join} where d.workspace_id = $1 and d.mode = 0 and d.decision_id = $2`,
    newestPageSql: page("and decision_id < $2"),
    actionPageSql: page("and decision_id < $2 and action = 6 and action <> 0"),
    orderSql: `select ${doc} from ${table} d ${join} where d.workspace_id = $1 and ${byHash} d.order_id = $2`,
  };
}

function narrowRow(copy: CopyBuffer, row: BenchRow, fieldCount: number, moreBytes: number): void {
  copy.row(fieldCount, NARROW_BYTES + 3 * (row.merchantId.length + row.orderId.length) + moreBytes);
  copy.id(row.workspaceId);
  copy.id(row.decisionId);
  copy.int2(row.mode);
  copy.int2(row.decisionMode);
  copy.int2(row.action);
  copy.text(row.merchantId);
  copy.text(row.orderId);
  copy.text(row.currency);
  copy.int8(row.amountMinor);
}

function textLine(row: BenchRow, rest: string): string {
  const ids = `${idToHex(row.workspaceId)}\t${idToHex(row.decisionId)}`;
  const text = `${escapeCopy(row.merchantId)}\t${escapeCopy(row.orderId)}\t${row.currency}`;
  return `${ids}\t${row.mode}\t${row.decisionMode}\t${row.action}\t${text}\t${row.amountMinor}\t${rest}\n`;
}

function docText(row: BenchRow): string {
  return escapeCopy(Buffer.from(row.doc.buffer, row.doc.byteOffset, row.doc.length).toString());
}

function escapeCopy(text: string): string {
  return /[\\\t\n\r]/.test(text)
    ? text.replace(/[\\\t\n\r]/g, (c) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[c] ?? c)
    : text;
}

/** Rows of one workspace together, at most `limit` to a chunk. */
function chunksOf(rows: readonly BenchRow[], limit: number): BenchRow[][] {
  const open = new Map<string, BenchRow[]>();
  const chunks: BenchRow[][] = [];
  for (const row of rows) {
    let chunk = open.get(row.workspaceId);
    if (chunk === undefined || chunk.length >= limit) {
      chunk = [];
      open.set(row.workspaceId, chunk);
      chunks.push(chunk);
    }
    chunk.push(row);
  }
  return chunks;
}
