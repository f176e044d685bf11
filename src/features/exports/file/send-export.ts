import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { ExportFormat } from "../../../domain/vocabulary/vocabulary.js";
import { errorResponse, type ExtraHeaders } from "../../../platform/http/api-error.js";
import type { Exchange } from "../../../platform/http/exchange.js";
import { matchesEtag } from "../../../platform/http/static-files.js";
import type { Chunk } from "../queries/chunk.js";
import type { Export } from "../queries/export.js";
import { readRange } from "./byte-range.js";

const inflate = promisify(gunzip);

export const CONTENT_TYPES = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
} as const satisfies Record<ExportFormat, string>;

/** A finished file. */
export type DoneExport = Export & { sha256: string };

/** Finds the piece that contains the byte at an offset. Null if the file was deleted. */
type FindChunk = (offset: number) => Promise<Chunk | null | "unavailable">;

/** The headers of every answer. `sendFile` writes none of them, because the dashboard's files have others. */
const HEADERS_WITHOUT_BODY: ExtraHeaders = [
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
];

/**
 * EXP-12: sends a file piece by piece. The next piece follows once the peer can receive it. If a piece cannot be
 * read, the connection is closed, and the peer can resume with Range.
 */
export async function sendExport(exchange: Exchange, file: DoneExport, find: FindChunk): Promise<void> {
  const { head } = exchange;
  const etag = `"${file.sha256}"`;
  const headers: ExtraHeaders = [
    ["etag", etag],
    ["accept-ranges", "bytes"],
    ["content-disposition", `attachment; filename="${fileName(file)}"`],
  ];
  if (matchesEtag(head.ifNoneMatch, etag)) {
    return exchange.sendFile(304, Buffer.alloc(0), [...headers, ...HEADERS_WITHOUT_BODY]);
  }
  // If-Range names another version of the file, so a range of this version would not fit. The whole file is sent.
  const isWanted = head.ifRange === undefined || head.ifRange === etag;
  const range = isWanted ? readRange(head.range, file.bytes) : null;
  if (range === "unsatisfiable") {
    const { status, body } = errorResponse({ kind: "unsatisfiable_range" });
    return exchange.send(status, body, [["content-range", `bytes */${file.bytes}`]]);
  }
  const { start, end } = range ?? { start: 0, end: file.bytes };
  const contentRange = ["content-range", `bytes ${start}-${end - 1}/${file.bytes}`] as const;
  exchange.startStream(CONTENT_TYPES[file.format], {
    status: range === null ? 200 : 206,
    bytes: end - start,
    headers: range === null ? headers : [...headers, contentRange],
  });
  if (start === end) return void (await exchange.writePart(Buffer.alloc(0)));
  for (let offset = start; offset < end;) {
    if (exchange.done) return;
    const chunk = await find(offset);
    // The status is already sent, so an error can only close the connection.
    if (chunk === null || chunk === "unavailable") return exchange.fail({ kind: "internal" });
    const raw = file.format === "parquet" ? chunk.content : await inflate(chunk.content);
    const part = raw.subarray(offset - chunk.rawOffset, end - chunk.rawOffset);
    if (!(await exchange.writePart(part))) return;
    offset = chunk.rawOffset + chunk.rawBytes;
  }
}

/** The name has only the service's own words and dates, so it needs no escaping. */
function fileName({ kind, format, mode, sinceMs, untilMs }: Export): string {
  const day = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);
  const which = kind === "audit_log" ? "audit-log" : `${kind}-${mode}`;
  return `payinference-${which}-${day(sinceMs)}-${day(untilMs)}.${format}`;
}
