import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { EXPORT_TUNING } from "../../../src/features/exports/queries/export-tuning.js";
import { sweepExports } from "../../../src/features/exports/queries/unfinished.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createWorkspace, newId } from "../../support/people/tenants.js";
import {
  exportRequest,
  holdFiles,
  readExport,
  startExport,
  storeDecisions,
  untilBegun,
  untilStatus,
} from "../../support/service/exports.js";
import { expositionOf } from "../../support/service/exposition.js";
import { send, startTestService, type RunningService } from "../../support/service/service.js";
import { untilPasses } from "../../support/waiting/eventually.js";

let service: RunningService;
before(async () => {
  service = await startTestService();
});

async function openWorkspace(): Promise<{ workspaceId: string; owner: Dashboard }> {
  const workspaceId = await createWorkspace(service);
  return { workspaceId, owner: await openDashboard(service, workspaceId) };
}

describe("POST /v1/exports", () => {
  it("EXP-1, EXP-3: answers 202 with the export, which is listed newest first", async () => {
    const { owner } = await openWorkspace();
    const made = await startExport(owner, { merchant_id: "demo_merchant" });
    assert.deepEqual(
      { ...made, id: "", created_at: "" },
      {
        id: "",
        kind: "decisions",
        format: "ndjson",
        mode: "live",
        from: exportRequest()["from"],
        to: exportRequest()["to"],
        filters: { merchant_id: "demo_merchant" },
        status: "queued",
        rows: 0,
        total_rows: null,
        bytes: 0,
        sha256: null,
        error: null,
        created_by: owner.userId,
        created_at: "",
        finished_at: null,
        expires_at: null,
      },
    );
    const second = await startExport(owner, { kind: "usage" });
    const ids = async (query: string): Promise<unknown> => {
      const { json } = await owner.get(`/v1/exports${query}`);
      return [(json["exports"] as { id: string }[]).map(({ id }) => id), json["has_more"]];
    };
    assert.deepEqual(await ids(""), [[second.id, made.id], false]);
    assert.deepEqual(await ids("?page_size=1"), [[second.id], true]);
    assert.deepEqual(await ids(`?starting_after=${second.id}`), [[made.id], false]);
    assert.deepEqual(await ids(`?ending_before=${made.id}`), [[second.id], false]);
    assert.deepEqual(await ids(`?ending_before=${newId("xpt")}`), [[], false]);
  });

  it("EXP-1: an analyst and a developer export decisions alone, and see no other exports", async () => {
    const { workspaceId, owner } = await openWorkspace();
    const audit = await startExport(owner, { kind: "audit_log" });
    const admin = await openDashboard(service, workspaceId, "admin");
    assert.equal((await admin.get(`/v1/exports/${audit.id}`)).status, 200);
    for (const role of ["analyst", "developer"] as const) {
      const member = await openDashboard(service, workspaceId, role);
      for (const kind of ["audit_log", "usage"]) {
        const { status } = await member.request("POST", "/v1/exports", exportRequest({ kind }));
        assert.equal(status, 403);
      }
      const own = await startExport(member);
      const { json } = await member.get("/v1/exports");
      const kinds = (json["exports"] as { kind: string }[]).map(({ kind }) => kind);
      assert.ok(kinds.every((kind) => kind === "decisions"));
      assert.equal((await member.get(`/v1/exports/${own.id}`)).status, 200);
      for (const path of [audit.id, `${audit.id}/file`]) {
        assert.equal((await member.get(`/v1/exports/${path}`)).status, 404);
      }
      assert.equal((await member.request("DELETE", `/v1/exports/${audit.id}`)).status, 404);
      await member.request("DELETE", `/v1/exports/${own.id}`);
    }
    const key = await send(service, "POST", "/v1/exports", { body: exportRequest() });
    assert.equal(key.status, 403);
  });

  const refused: Readonly<Record<string, [object, path: string, code: string]>> = {
    "no kind": [{ kind: undefined }, "kind", "invalid_type"],
    "no from": [{ from: undefined }, "from", "invalid_type"],
    "no to": [{ to: undefined }, "to", "invalid_type"],
    "no mode": [{ mode: undefined }, "mode", "invalid_type"],
    "no format": [{ format: undefined }, "format", "invalid_type"],
    "another kind": [{ kind: "outcomes" }, "kind", "invalid_enum_value"],
    "another format": [{ format: "xlsx" }, "format", "invalid_enum_value"],
    "a date without a time": [{ from: "2026-01-01" }, "from", "invalid_string"],
    "an end at the start": [{ to: exportRequest()["from"] }, "to", "custom"],
    "a filter of the log for usage": [{ kind: "usage", currency: "USD" }, "currency", "custom"],
    "a filter that the log has not": [{ device: "x" }, "device", "unrecognized_keys"],
    "a filter of the audit log for decisions": [{ actor: newId("usr") }, "actor", "custom"],
    "a filter of the log for the audit log": [{ kind: "audit_log", currency: "USD" }, "currency", "custom"],
    "an action of the audit log that is none": [
      { kind: "audit_log", audit_action: "wait" },
      "audit_action",
      "invalid_enum_value",
    ],
    "an action that is none": [{ action: "wait" }, "action", "invalid_enum_value"],
    "a most below the least": [{ amount_min: 2, amount_max: 1 }, "amount_max", "custom"],
    "an order id with U+0000": [{ order_id: "a\0" }, "order_id", "invalid_string"],
  };
  for (const [name, [changes, path, code]] of Object.entries(refused)) {
    it(`EXP-2: refuses ${name}`, async () => {
      const owner = await openDashboard(service, service.workspaceId);
      const { status, json } = await owner.request("POST", "/v1/exports", exportRequest(changes));
      assert.equal(status, 400);
      const issues = json["issues"] as { path: string; code: string }[];
      assert.deepEqual(
        issues.map((issue) => [issue.path, issue.code]),
        [[path, code]],
      );
    });
  }

  it("EXP-4: a workspace has so many exports, and so many that wait; others are not touched", async () => {
    const { workspaceId, owner } = await openWorkspace();
    const fill = (status: string, count: number) =>
      service.pool.query(
        `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters, status, attempts)
         select $1, gen_random_uuid(), gen_random_uuid(), 'decisions', 'csv', 0, now(), now(), '{}', $2, 0
         from generate_series(1, $3)`,
        [idToHex(workspaceId), status, count],
      );
    await fill("expired", 200);
    // While this export runs, the workspace's other exports wait.
    await service.pool.query(
      `insert into exports (workspace_id, export_id, created_by, kind, format, mode, since, until, filters, status,
         leased_by, leased_until) values ($1, gen_random_uuid(), gen_random_uuid(), 'decisions', 'csv', 0, now(), now(), '{}',
         'running', 'nobody', now() + interval '1 hour')`,
      [idToHex(workspaceId)],
    );
    for (let made = 0; made < LIMITS.exportsWaitingMax; made++) await startExport(owner);
    const tooMany = await owner.request("POST", "/v1/exports", exportRequest());
    assert.deepEqual([tooMany.status, tooMany.json["message"]], [409, "Limit of 10 waiting exports reached"]);
    await fill("done", LIMITS.exportsMax - LIMITS.exportsWaitingMax - 1);
    const full = await owner.request("POST", "/v1/exports", exportRequest());
    assert.deepEqual([full.status, full.json["message"]], [409, "Limit of 100 exports reached"]);
    const { owner: other } = await openWorkspace();
    await startExport(other);
    await service.pool.query("delete from exports where workspace_id = $1", [idToHex(workspaceId)]);
  });
});

describe("an export's life", () => {
  it("EXP-11: its making and deletion are in the audit log", async () => {
    const { owner } = await openWorkspace();
    const { id } = await startExport(owner, { format: "csv" });
    await untilStatus(owner, id);
    assert.equal((await owner.request("DELETE", `/v1/exports/${id}`)).status, 204);
    assert.equal((await owner.get(`/v1/exports/${id}`)).status, 404);
    assert.equal((await owner.get(`/v1/exports/${id}/file`)).status, 404);
    const { rows } = await service.pool.query("select from export_chunks where export_id = $1", [
      idToHex(id),
    ]);
    assert.equal(rows.length, 0);
    const { json } = await owner.get("/v1/admin/audit-log");
    const entries = (json["entries"] as Record<string, unknown>[]).filter(({ resource }) => resource === id);
    assert.deepEqual(
      entries.map(({ action, metadata }) => ({ action, metadata })),
      [
        { action: "export.deleted", metadata: { kind: "decisions", format: "csv" } },
        { action: "export.created", metadata: { kind: "decisions", format: "csv", mode: "live" } },
      ],
    );
  });

  it("EXP-11, EVT-3, EVT-12: export.ready goes to its subscribers, once the export is done", async () => {
    const { workspaceId, owner } = await openWorkspace();
    const endpoint = idToHex(newId("ep"));
    // Somebody else leases the endpoint, so nothing is sent.
    await service.pool.query(
      `insert into event_endpoints (workspace_id, endpoint_id, url, types, format, sealed, leased_by, leased_until)
       values ($1, $2, 'https://shop.example/', '{export.ready}', 'standard', '', 'nobody', now() + interval '1 day')`,
      [idToHex(workspaceId), endpoint],
    );
    const { id } = await startExport(owner, { format: "csv" });
    const done = await untilStatus(owner, id);
    const { rows } = await service.pool.query<{ type: string; subject: string; body: string }>(
      "select type, subject, body from event_deliveries where endpoint_id = $1",
      [endpoint],
    );
    assert.deepEqual(
      rows.map(({ type, subject, body }) => ({
        type,
        subject,
        ...(JSON.parse(body) as object),
        timestamp: "",
      })),
      [
        {
          type: "export.ready",
          subject: id,
          timestamp: "",
          data: {
            export_id: id,
            kind: "decisions",
            format: "csv",
            mode: "live",
            rows: 0,
            bytes: done.bytes,
            finished_at: done.finished_at,
            expires_at: done.expires_at,
          },
        },
      ],
    );
  });

  it("EXP-10: the file is deleted after 7 days, and the export after 30", async () => {
    const { owner } = await openWorkspace();
    const { id } = await startExport(owner, { format: "csv" });
    const done = await untilStatus(owner, id);
    const lifeMs = Date.parse(String(done.expires_at)) - Date.parse(String(done.finished_at));
    assert.equal(lifeMs, 7 * 86_400_000);
    await sweepExports(service.pool, Date.now());
    assert.equal((await readExport(owner, id)).status, "done");
    await service.pool.query("update exports set expires_at = now() where export_id = $1", [idToHex(id)]);
    await sweepExports(service.pool, Date.now());
    assert.equal((await readExport(owner, id)).status, "expired");
    const file = await owner.get(`/v1/exports/${id}/file`);
    assert.deepEqual([file.status, file.json["message"]], [409, "Export has no file"]);
    const { rows } = await service.pool.query("select from export_chunks where export_id = $1", [
      idToHex(id),
    ]);
    assert.equal(rows.length, 0);
    await sweepExports(service.pool, Date.now() + 29 * 86_400_000);
    assert.equal((await owner.get(`/v1/exports/${id}`)).status, 200);
    await sweepExports(service.pool, Date.now() + 31 * 86_400_000);
    assert.equal((await owner.get(`/v1/exports/${id}`)).status, 404);
  });

  it("EXP-9: one that several starts did not end fails, and keeps no file", async () => {
    const { owner } = await openWorkspace();
    const holder = await openWorkspace();
    await storeDecisions(service.pool, holder.workspaceId, 1500);
    const held = await holdFiles(service.pool, holder.workspaceId);
    const { id } = await startExport(holder.owner);
    await untilBegun(holder.owner, id);
    await service.pool.query(
      "update exports set attempts = $2, leased_by = 'nobody', leased_until = now() where export_id = $1",
      [idToHex(id), EXPORT_TUNING.attemptsMax],
    );
    const failed = await untilStatus(holder.owner, id, "failed");
    assert.deepEqual([failed.error, failed.sha256], ["interrupted", null]);
    const { rows } = await service.pool.query("select from export_chunks where export_id = $1", [
      idToHex(id),
    ]);
    assert.equal(rows.length, 0);
    assert.equal((await holder.owner.get(`/v1/exports/${id}/file`)).status, 409);
    await held.release();
    await untilStatus(owner, (await startExport(owner)).id);
  });
});

describe("EXP-8: exports are made in turn", () => {
  it("one of a workspace at a time, and another workspace's before its next; a metric counts them", async () => {
    const first = await openWorkspace();
    const second = await openWorkspace();
    await storeDecisions(service.pool, first.workspaceId, 1500);
    const held = await holdFiles(service.pool, first.workspaceId);
    const running = await startExport(first.owner);
    await untilBegun(first.owner, running.id);
    const next = await startExport(first.owner);
    const unfinished = await first.owner.get(`/v1/exports/${running.id}/file`);
    assert.deepEqual([unfinished.status, unfinished.json["message"]], [409, "Export is not finished"]);
    // This export was requested after `next`, and is finished before `next` begins.
    await untilStatus(second.owner, (await startExport(second.owner)).id);
    assert.equal((await readExport(first.owner, next.id)).status, "queued");
    await untilPasses(async () => {
      const text = await expositionOf(service);
      assert.match(text, /^payinference_exports{state="waiting"} 1$/m);
      assert.match(text, /^payinference_exports{state="running"} 1$/m);
    });
    // A deleted export stops, and the next one takes its turn.
    await first.owner.request("DELETE", `/v1/exports/${running.id}`);
    await held.release();
    assert.equal((await untilStatus(first.owner, next.id)).rows, 1500);
  });
});
