import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, it } from "node:test";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { RISK_BANDS } from "../../../src/domain/vocabulary/vocabulary.js";
import type { ExportBody } from "../../../src/features/exports/wire/export-response-schema.js";
import { storeOutcomes, signIn } from "../../support/people/feedback.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createWorkspace, newId } from "../../support/people/tenants.js";
import {
  exportText,
  holdFiles,
  startExport,
  storeDecisions,
  untilBegun,
  untilStatus,
} from "../../support/service/exports.js";
import { startTestService, type RunningService } from "../../support/service/service.js";
import type { TextRow } from "../../support/rows/decision-rows.js";

const ROWS = 2300;

let service: RunningService;
let workspaceId: string;
let owner: Dashboard;
let token: string;
let rows: TextRow[];
/** Every row of GET /v1/decisions, newest first. */
let listed: Record<string, unknown>[];
before(async () => {
  service = await startTestService();
  workspaceId = await createWorkspace(service);
  owner = await openDashboard(service, workspaceId);
  ({ token } = await signIn(service.pool, workspaceId, "analyst"));
  rows = await storeDecisions(service.pool, workspaceId, ROWS, (at) => ({
    merchantId: at % 3 === 0 ? "-2-3" : "plain",
    currency: at % 2 === 0 ? "EUR" : "USD",
    amountMinor: 1250 + at,
    riskBand: RISK_BANDS.indexOf(at % 4 === 0 ? "high" : "low"),
    ...(at === 1 ? { orderId: '-2+3 "quoted", twice\r\nover' } : {}),
  }));
  await storeOutcomes(
    service,
    workspaceId,
    new Map(
      rows
        .filter((_, at) => at % 5 === 0)
        .map(({ decisionId }) => [
          decisionId,
          { outcome: "approved", providerUsed: "provider_1", mode: "live" } as const,
        ]),
    ),
  );
  await service.pool.query(
    `insert into reviews (workspace_id, mode, decision_id, resolution, note, resolved_by, resolved_at)
     values ($1, 1, $2, 0, '@looks, fine', $3, now())`,
    [idToHex(workspaceId), idToHex(String(rows[2]?.decisionId)), idToHex(newId("usr"))],
  );
  listed = [];
  for (let after = ""; ;) {
    const { json } = await owner.get(`/v1/decisions?mode=live&page_size=100${after}`);
    listed.push(...(json["decisions"] as Record<string, unknown>[]));
    if (json["has_more"] !== true) break;
    after = `&starting_after=${String(listed.at(-1)?.["decision_id"])}`;
  }
  assert.equal(listed.length, ROWS);
});

const parsed = (text: string): unknown[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);

/** Parses CSV by RFC 4180. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, cell = "", end] of text.matchAll(/((?:"(?:[^"]|"")*")|[^",\r\n]*)(,|\r\n)/g)) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== ",") lines.push([]);
  }
  return lines.slice(0, -1);
}

async function download(id: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}/v1/exports/${id}/file`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function made(changes: object): Promise<ExportBody> {
  return untilStatus(owner, (await startExport(owner, changes)).id);
}

describe("an export's rows", () => {
  it("EXP-5: NDJSON is the list, row by row", async () => {
    const done = await made({ format: "ndjson" });
    assert.deepEqual([done.rows, done.total_rows], [ROWS, ROWS]);
    assert.deepEqual(parsed((await download(done.id)).bytes.toString()), listed);
  });

  const filters: Readonly<Record<string, (row: Record<string, unknown>) => boolean>> = {
    '{"currency":"EUR"}': (row) => row["currency"] === "EUR",
    '{"amount_min":1260,"amount_max":1270}': ({ amount }) => Number(amount) >= 1260 && Number(amount) <= 1270,
    '{"risk_band":"high"}': (row) => row["risk_band"] === "high",
    '{"outcome":"approved","currency":"EUR"}': ({ outcome, currency }) =>
      outcome !== null && currency === "EUR",
    '{"reason_code":"RISK_ACCEPTABLE"}': (row) =>
      (row["reason_codes"] as string[]).includes("RISK_ACCEPTABLE"),
    '{"merchant_id":"plain","currency":"USD"}': (row) =>
      row["merchant_id"] === "plain" && row["currency"] === "USD",
    '{"unresolved":true,"action":"route"}': (row) => row["outcome"] === null && row["review"] === null,
    '{"provider":"provider_9"}': () => false,
    '{"provider":"-"}': (row) => row["primary_provider"] === null,
    '{"card_network":"-"}': () => true,
    '{"decision_mode":"shadow"}': () => false,
    '{"mode":"test"}': () => false,
  };
  for (const [filter, isWanted] of Object.entries(filters)) {
    it(`EXP-2: filters as the list does: ${filter}`, async () => {
      const text = await exportText(owner, JSON.parse(filter) as object);
      // `createWorkspace` made its decision in test mode, and this comparison leaves it out.
      const found = parsed(text).filter((row) => (row as { mode: string }).mode === "live");
      assert.deepEqual(found, listed.filter(isWanted));
    });
  }

  it("EXP-2: from is included, to is not, and an order is found by its id", async () => {
    const at = (index: number): string => String(listed[index]?.["created_at"]);
    const text = await exportText(owner, { from: at(10), to: at(3) });
    assert.deepEqual(parsed(text), listed.slice(4, 11));
    const order = await exportText(owner, { order_id: String(listed[1]?.["order_id"]) });
    assert.deepEqual(parsed(order), [listed[1]]);
  });

  it("EXP-5: all rows are as of one moment", async () => {
    const held = await holdFiles(service.pool, workspaceId);
    const other = await createWorkspace(service);
    await service.pool.query("delete from exports where workspace_id = $1", [idToHex(workspaceId)]);
    const { id } = await startExport(owner);
    await untilBegun(owner, id);
    const before = listed;
    const changed = rows[ROWS - 2] as TextRow;
    await storeOutcomes(
      service,
      workspaceId,
      new Map([[changed.decisionId, { outcome: "approved", providerUsed: "provider_2", mode: "live" }]]),
    );
    await held.release();
    await untilStatus(owner, id);
    assert.deepEqual(parsed((await download(id)).bytes.toString()), before);
    assert.notEqual(other, workspaceId);
    // Later tests compare with `listed`, so the changed row is read again.
    const { json } = await owner.get(
      `/v1/decisions?mode=live&order_id=${encodeURIComponent(changed.orderId)}`,
    );
    listed[ROWS - 2] = (json["decisions"] as Record<string, unknown>[])[0] ?? {};
    assert.notEqual(listed[ROWS - 2]?.["outcome"], null);
  });

  it("EXP-6: CSV has a header line, and no cell that a spreadsheet runs", async () => {
    const done = await made({ format: "csv" });
    const { headers, bytes } = await download(done.id);
    assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
    const [header = [], ...lines] = readCsv(bytes.toString());
    assert.equal(lines.length, ROWS);
    const cell = (line: number, name: string): string | undefined => lines[line]?.[header.indexOf(name)];
    assert.equal(header.length, 29);
    assert.ok(lines.every((line) => line.length === header.length));
    assert.deepEqual(
      lines.map((line) => line[0]),
      listed.map((row) => row["decision_id"]),
    );
    assert.equal(cell(0, "merchant_id"), "'-2-3");
    assert.equal(cell(1, "order_id"), `'-2+3 "quoted", twice\r\nover`);
    assert.equal(cell(1, "merchant_id"), "plain");
    assert.equal(cell(0, "amount"), "1250");
    assert.equal(cell(0, "created_at"), listed[0]?.["created_at"]);
    assert.equal(cell(0, "outcome"), "approved");
    assert.equal(cell(0, "outcome_provider_latency_ms"), "321");
    assert.equal(cell(1, "outcome"), "");
    assert.equal(cell(2, "review_note"), "'@looks, fine");
    assert.equal(cell(0, "matched_rules"), JSON.stringify([`"reason_codes":["NOT_A_CODE"]`]));
  });

  it("EXP-7: Parquet has the columns of CSV with their types", async () => {
    const done = await made({ format: "parquet" });
    const { headers, bytes } = await download(done.id);
    assert.equal(headers.get("content-type"), "application/vnd.apache.parquet");
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { num_rows: count, schema } = await parquetMetadataAsync(file);
    assert.equal(count, BigInt(ROWS));
    const typeOf = (name: string) => {
      const column = schema.find((one) => one.name === name);
      return column?.converted_type ?? column?.type;
    };
    assert.deepEqual(
      ["decision_id", "amount", "decision_latency_ms", "created_at", "review_resolved_at"].map(typeOf),
      ["UTF8", "INT64", "DOUBLE", "TIMESTAMP_MILLIS", "TIMESTAMP_MILLIS"],
    );
    const [header = []] = readCsv(await exportText(owner, { format: "csv" }));
    assert.deepEqual(
      schema.slice(1).map(({ name }) => name),
      header,
    );
    const read = await parquetReadObjects({ file });
    assert.deepEqual(
      read.map((row) => [row["decision_id"], (row["created_at"] as Date).toISOString(), row["amount"]]),
      listed.map((row) => [row["decision_id"], row["created_at"], BigInt(Number(row["amount"]))]),
    );
    // Parquet readers do not run formulas, so the export puts no apostrophe before texts.
    assert.equal(read[0]?.["merchant_id"], "-2-3");
    assert.deepEqual([read[1]?.["outcome"], read[0]?.["outcome_provider_latency_ms"]], [null, 321]);
  });

  it("EXP-5: the audit log and usage are as their lists have them", async () => {
    const now = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await startExport(owner, { kind: "audit_log", to: now });
    await untilStatus(owner, id);
    const { json } = await owner.get("/v1/admin/audit-log?page_size=100");
    const entries = json["entries"] as unknown[];
    assert.deepEqual(parsed((await owner.get(`/v1/exports/${id}/file`)).text), entries);
    const part = {
      kind: "audit_log",
      to: now,
      audit_action: "export.created",
      actor: owner.userId,
      resource: id,
    };
    assert.deepEqual(
      parsed(await exportText(owner, part)),
      entries.filter((entry) => (entry as { resource: string }).resource === id),
    );
    const searched = parsed(await exportText(owner, { kind: "audit_log", to: now, q: "deleted export" }));
    assert.deepEqual(searched, []);
    const csv = readCsv(await exportText(owner, { kind: "audit_log", to: now, format: "csv" }));
    assert.deepEqual(csv[0], ["audit_id", "created_at", "actor", "action", "resource", "metadata"]);
    const usage = await owner.get("/v1/admin/usage?from=2026-01&to=2026-12");
    const months = (usage.json["usage"] as { mode: string }[]).filter(({ mode }) => mode === "live");
    assert.ok(months.length > 0);
    const text = await exportText(owner, { kind: "usage", from: "2026-01-15T00:00:00Z", to: now });
    assert.deepEqual(parsed(text), months);
  });
});

describe("an export's file", () => {
  for (const format of ["csv", "ndjson", "parquet"]) {
    it(`EXP-12: ${format}: any range has the bytes of the whole`, async () => {
      const done = await made({ format });
      const whole = await download(done.id);
      const { bytes, headers } = whole;
      assert.equal(whole.status, 200);
      assert.equal(createHash("sha256").update(bytes).digest("hex"), done.sha256);
      assert.equal(bytes.byteLength, done.bytes);
      assert.equal(headers.get("content-length"), String(done.bytes));
      assert.equal(headers.get("accept-ranges"), "bytes");
      assert.equal(headers.get("etag"), `"${done.sha256}"`);
      assert.match(
        headers.get("content-disposition") ?? "",
        new RegExp(
          `^attachment; filename="payinference-decisions-live-\\d{4}-\\d\\d-\\d\\d-2026-11-21\\.${format}"$`,
        ),
      );
      const size = done.bytes;
      const ranges: [string, number, number][] = [
        ["bytes=0-", 0, size],
        ["bytes=0-0", 0, 1],
        ["bytes=1000-1999", 1000, 2000],
        ["bytes=-7", size - 7, size],
        [`bytes=${Math.floor(size / 2)}-`, Math.floor(size / 2), size],
        [`bytes=5-${size * 2}`, 5, size],
        // If the file has several pieces, this range spans two of them.
        [
          `bytes=${Math.min(262_140, size - 10)}-${Math.min(262_150, size)}`,
          Math.min(262_140, size - 10),
          Math.min(262_151, size),
        ],
      ];
      for (const [range, start, end] of ranges) {
        const part = await download(done.id, { range, "if-range": `"${done.sha256}"` });
        assert.equal(part.status, 206, range);
        assert.equal(part.headers.get("content-range"), `bytes ${start}-${end - 1}/${size}`);
        assert.ok(part.bytes.equals(bytes.subarray(start, end)), range);
      }
    });
  }

  it("EXP-12: a range of another file, of another unit or of several is the whole file", async () => {
    const done = await made({ format: "csv" });
    for (const headers of [
      { range: "bytes=5-", "if-range": '"another"' },
      { range: "rows=5-" },
      { range: "bytes=0-1,5-6" },
      { range: "bytes=9-5" },
    ]) {
      const { status, bytes } = await download(done.id, headers);
      assert.deepEqual([status, bytes.byteLength], [200, done.bytes]);
    }
    const past = await download(done.id, { range: `bytes=${done.bytes}-` });
    assert.deepEqual([past.status, past.headers.get("content-range")], [416, `bytes */${done.bytes}`]);
    const same = await download(done.id, { "if-none-match": `"${done.sha256}"` });
    assert.deepEqual([same.status, same.bytes.byteLength], [304, 0]);
    assert.deepEqual(
      ["cache-control", "x-content-type-options"].map((name) => same.headers.get(name)),
      ["no-store", "nosniff"],
    );
    const head = await fetch(`${service.url}/v1/exports/${done.id}/file`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${token}` },
    });
    assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(done.bytes)]);
  });

  it("EXP-12: a file without rows has no bytes, or its header line", async () => {
    for (const [format, text] of [
      ["ndjson", ""],
      ["csv", "month,mode,merchant_id,decisions,shadow_decisions\r\n"],
    ]) {
      const done = await made({
        kind: "usage",
        from: "2020-01-01T00:00:00Z",
        to: "2020-02-01T00:00:00Z",
        format,
      });
      const { status, text: sent, headers } = await owner.get(`/v1/exports/${done.id}/file`);
      assert.deepEqual([status, sent, headers.get("content-length")], [200, text, String(done.bytes)]);
    }
  });

  it("EXP-13: no other workspace sees, reads or deletes an export", async () => {
    const done = await made({ format: "csv" });
    const stranger = await openDashboard(service, await createWorkspace(service));
    for (const [method, path] of [
      ["GET", done.id],
      ["GET", `${done.id}/file`],
      ["DELETE", done.id],
    ] as const) {
      assert.equal((await stranger.request(method, `/v1/exports/${path}`)).status, 404);
    }
    assert.deepEqual((await stranger.get("/v1/exports")).json["exports"], []);
    assert.deepEqual((await stranger.get(`/v1/exports?starting_after=${done.id}`)).json["exports"], []);
    assert.equal(await exportText(stranger), "");
    assert.equal((await download(done.id)).status, 200);
  });
});
