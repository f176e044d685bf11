import assert from "node:assert/strict";
import type { Pool } from "pg";
import { idToHex } from "../../../src/domain/ids/ids.js";
import type { ExportBody } from "../../../src/features/exports/wire/export-response-schema.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import type { Dashboard } from "../people/dashboard.js";
import { newId } from "../people/tenants.js";
import { withDocument } from "../rows/decision-documents.js";
import { decisionRow, NOW_MS, type TextRow } from "../rows/decision-rows.js";
import { untilPasses } from "../waiting/eventually.js";

/** An interval that contains all rows of `storeDecisions`. */
export const SINCE = new Date(NOW_MS - 400 * 86_400_000).toISOString();
export const UNTIL = new Date(NOW_MS + 86_400_000).toISOString();

export const exportRequest = (changes: object = {}): Record<string, unknown> => ({
  kind: "decisions",
  from: SINCE,
  to: UNTIL,
  mode: "live",
  format: "ndjson",
  ...changes,
});

/**
 * Stores decisions in live mode, one for each minute back from NOW_MS. It writes them as another node's writer would.
 */
export async function storeDecisions(
  pool: Pool,
  workspaceId: string,
  count: number,
  changesOf: (at: number) => Partial<TextRow> = () => ({}),
): Promise<TextRow[]> {
  const rows = Array.from({ length: count }, (_, at) =>
    withDocument(decisionRow({ workspaceId, ...changesOf(at) }, NOW_MS - at * 60_000)),
  );
  const writer = createDecisionWriter(pool, { nodeId: newId("ws") });
  for (let at = 0; at < count; at += 1000) {
    const decisions = rows.slice(at, at + 1000);
    assert.equal(await writer.write({ decisions, outcomes: [] }, at + 1000), "written");
  }
  return rows;
}

export async function startExport(member: Dashboard, changes: object = {}): Promise<ExportBody> {
  const { status, json, text } = await member.request("POST", "/v1/exports", exportRequest(changes));
  assert.equal(status, 202, text);
  return json["export"] as ExportBody;
}

export async function readExport(member: Dashboard, id: string): Promise<ExportBody> {
  const { status, json, text } = await member.get(`/v1/exports/${id}`);
  assert.equal(status, 200, text);
  return json["export"] as ExportBody;
}

/** Resolves once the export has this status. */
export async function untilStatus(
  member: Dashboard,
  id: string,
  status: ExportBody["status"] = "done",
): Promise<ExportBody> {
  await untilPasses(async () => assert.equal((await readExport(member, id)).status, status));
  return readExport(member, id);
}

/** Makes an export and resolves to its file's text. */
export async function exportText(member: Dashboard, changes: object = {}): Promise<string> {
  const { id } = await startExport(member, changes);
  await untilStatus(member, id);
  const { status, text } = await member.get(`/v1/exports/${id}/file`);
  assert.equal(status, 200, text);
  return text;
}

/**
 * Stops the workspace's export after the first piece of its file, until `release` is called. The stopped export holds
 * no lock on a row.
 */
export async function holdFiles(pool: Pool, workspaceId: string): Promise<{ release(): Promise<void> }> {
  await pool.query(`
    create or replace function hold_export() returns trigger language plpgsql as $$
    begin
      if exists (select from export_chunks where workspace_id = '${idToHex(workspaceId)}') then
        perform pg_advisory_xact_lock(4711);
      end if;
      return null;
    end $$;
    create trigger held before insert on export_chunks for each statement execute function hold_export()`);
  const client = await pool.connect();
  await client.query("select pg_advisory_lock(4711)");
  return {
    async release() {
      await client.query("select pg_advisory_unlock(4711)");
      client.release();
      await pool.query("drop trigger held on export_chunks");
    },
  };
}

/** Resolves once an export's first piece is stored. */
export async function untilBegun(member: Dashboard, id: string): Promise<void> {
  await untilPasses(async () => assert.ok((await readExport(member, id)).bytes > 0));
}
