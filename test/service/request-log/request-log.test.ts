import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idFromHex, idTimeMs } from "../../../src/domain/ids/ids.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { createKey, createWorkspace, newId, revokeKey } from "../../support/people/tenants.js";
import { decisionBody, eventually, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

const PATH = "/v1/request-log?mode=test";

interface Row {
  id: string;
  answered_at: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  api_key_id: string;
  api_key_name: string | null;
  request_id: string;
  error_code: string | null;
  issue_code: string | null;
  issue_path: string | null;
  node_id: string;
}
interface Page {
  requests: Row[];
  has_more: boolean;
  covers: string;
  node_id: string;
}

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

interface Workshop {
  workspaceId: string;
  key: string;
  owner: Dashboard;
  page(query?: string): Promise<Page>;
}

/** Makes a workspace. Its log begins with the requests of its creation. */
async function workshop(): Promise<Workshop> {
  const workspaceId = await createWorkspace(service);
  const key = await createKey(service.pool, workspaceId);
  const owner = await openDashboard(service, workspaceId);
  return {
    workspaceId,
    key,
    owner,
    async page(query = "") {
      const { status, json, text } = await owner.get(PATH + query);
      assert.equal(status, 200, text);
      return json as unknown as Page;
    },
  };
}

/** The service notes a row as its answer leaves. A client may see the answer a moment earlier. */
async function rowOf({ page }: Workshop, requestId: string): Promise<Row> {
  let row: Row | undefined;
  await eventually(async () => {
    row = (await page("&page_size=100")).requests.find(({ request_id }) => request_id === requestId);
    assert.ok(row);
  });
  return row as Row;
}

describe("GET /v1/request-log", ONE_NODE, () => {
  it("RLOG-1, RLOG-3, RLOG-7, RLOG-8: a decision is one row with its key, id and time, and of this node", async () => {
    const shop = await workshop();
    const { key, page } = shop;
    const sentMs = Date.now();
    const { headers, status } = await send(service, "POST", "/v1/decision", { body: decisionBody(), key });
    assert.equal(status, 200);
    const requestId = String(headers.get("x-request-id"));
    const row = await rowOf(shop, requestId);
    const { covers, node_id, has_more } = await page();
    assert.deepEqual(row, {
      id: row.id,
      answered_at: row.answered_at,
      method: "POST",
      path: "/v1/decision",
      status: 200,
      duration_ms: row.duration_ms,
      api_key_id: row.api_key_id,
      api_key_name: "Test",
      request_id: requestId,
      error_code: null,
      issue_code: null,
      issue_path: null,
      node_id,
    });
    assert.match(row.id, /^rlog_/);
    assert.equal(row.answered_at, new Date(idTimeMs(row.id)).toISOString());
    assert.ok(Date.parse(row.answered_at) >= sentMs - 1000);
    assert.ok(row.duration_ms > 0);
    assert.deepEqual([covers, has_more], ["this_node", false]);
    const { rows } = await service.pool.query<{ key_id: string }>(
      "select key_id from api_keys where position(public_id in $1) > 0",
      [key],
    );
    assert.equal(row.api_key_id, idFromHex("key", String(rows[0]?.key_id)));
    await service.pool.query("delete from api_keys where key_id = $1", [rows[0]?.key_id]);
    assert.equal((await rowOf(shop, requestId)).api_key_name, null);
  });

  it("RLOG-3, RLOG-4: a refused request has its code and the path of its first issue, and no part of its body", async () => {
    const shop = await workshop();
    const { key } = shop;
    const secret = "zebra4711";
    const ask = (id: string, method: string, path: string, body?: unknown, by = key) =>
      send(service, method, path, {
        key: by,
        headers: { "x-request-id": id },
        ...(body === undefined ? {} : { body }),
      });
    const weak = await createKey(service.pool, shop.workspaceId, { scopes: ["health:read"] });
    await ask("bad-body", "POST", "/v1/decision", decisionBody({ order_id: "", merchant_id: secret }));
    await ask("bad-json", "POST", "/v1/decision", `{"${secret}`);
    await ask("bad-query", "GET", `/v1/decisions?page_size=0&order_id=${secret}`);
    await ask("no-such", "GET", `/v1/decisions/${newId("dec")}`);
    await ask("no-merchant", "POST", "/v1/decision", decisionBody({ merchant_id: secret }));
    await ask("no-scope", "GET", "/v1/decisions", undefined, weak);
    await ask("no-session", "GET", "/v1/team");
    const told = async (id: string) => {
      const row = await rowOf(shop, id);
      return [row.method, row.path, row.status, row.error_code, row.issue_code, row.issue_path];
    };
    const DECISION = ["POST", "/v1/decision"];
    assert.deepEqual(await told("bad-body"), [...DECISION, 400, "validation_error", "too_small", "order_id"]);
    assert.deepEqual(await told("bad-json"), [...DECISION, 400, "validation_error", "invalid_json", ""]);
    assert.deepEqual(await told("bad-query"), [
      "GET",
      "/v1/decisions",
      400,
      "validation_error",
      "too_small",
      "query.page_size",
    ]);
    const NO_ISSUE = [null, null];
    const AT_ID = ["GET", "/v1/decisions/:decisionId"];
    assert.deepEqual(await told("no-such"), [...AT_ID, 404, "not_found", ...NO_ISSUE]);
    assert.deepEqual(await told("no-merchant"), [...DECISION, 403, "unknown_merchant", ...NO_ISSUE]);
    assert.deepEqual(await told("no-scope"), ["GET", "/v1/decisions", 403, "missing_scope", ...NO_ISSUE]);
    assert.deepEqual(await told("no-session"), ["GET", "/v1/team", 403, "session_required", ...NO_ISSUE]);
    assert.equal(JSON.stringify(await shop.page("&page_size=100")).includes(secret), false);
  });

  it("RLOG-2: requests without a working key, and those of a session, are not in it", async () => {
    const shop = await workshop();
    const { key, owner, page } = shop;
    const revoked = await createKey(service.pool, shop.workspaceId);
    await revokeKey(service.pool, revoked);
    const before = (await page("&page_size=100")).requests.length;
    for (const by of [null, `pi_test_${"0".repeat(64)}`, revoked]) {
      const { status } = await send(service, "POST", "/v1/decision", { body: decisionBody(), key: by });
      assert.equal(status, 401);
    }
    assert.equal((await owner.get("/v1/decisions?mode=test")).status, 200);
    const { headers } = await send(service, "POST", "/v1/decision", { body: decisionBody(), key });
    await rowOf(shop, String(headers.get("x-request-id")));
    assert.equal((await page("&page_size=100")).requests.length, before + 1);
  });

  it("RLOG-5: filters by status and code, and pages by both cursors", async () => {
    const shop = await workshop();
    const { key, page } = shop;
    const ids: string[] = [];
    for (const body of [decisionBody(), {}, decisionBody(), {}, decisionBody({ merchant_id: "nobody" })]) {
      const id = `paged-${ids.length}`;
      await send(service, "POST", "/v1/decision", { body, key, headers: { "x-request-id": id } });
      await rowOf(shop, id);
      ids.unshift(id);
    }
    const idsOf = ({ requests }: Page): string[] =>
      requests.map(({ request_id }) => request_id).filter((id) => id.startsWith("paged-"));
    assert.deepEqual(idsOf(await page("&page_size=100")), ids);
    assert.deepEqual(idsOf(await page("&status=4xx")), ["paged-4", "paged-3", "paged-1"]);
    assert.deepEqual(idsOf(await page("&status=403")), ["paged-4"]);
    assert.deepEqual(idsOf(await page("&status=5xx")), []);
    assert.deepEqual(idsOf(await page("&code=validation_error")), ["paged-3", "paged-1"]);
    const first = await page("&page_size=2");
    assert.deepEqual([idsOf(first), first.has_more], [["paged-4", "paged-3"], true]);
    const older = await page(`&page_size=2&starting_after=${first.requests[1]?.id}`);
    assert.deepEqual(idsOf(older), ["paged-2", "paged-1"]);
    const newer = await page(`&page_size=1&ending_before=${older.requests[0]?.id}`);
    assert.deepEqual([idsOf(newer), newer.has_more], [["paged-3"], true]);
    const top = await page(`&ending_before=${older.requests[0]?.id}`);
    assert.deepEqual([idsOf(top), top.has_more], [["paged-4", "paged-3"], false]);
    assert.deepEqual((await page(`&starting_after=${newId("rlog")}`)).requests, []);
    for (const bad of ["status=9xx", "status=4x", "code=nothing", "starting_after=rlog_1", "page_size=101"]) {
      assert.equal((await shop.owner.get(`${PATH}&${bad}`)).status, 400, bad);
    }
  });

  it("RLOG-1: modes and workspaces are apart, and an analyst sees none of it", async () => {
    const [ours, theirs] = [await workshop(), await workshop()];
    const live = await createKey(service.pool, ours.workspaceId, { mode: "live" });
    const { headers } = await send(service, "POST", "/v1/decision", { body: decisionBody(), key: live });
    const requestId = String(headers.get("x-request-id"));
    const liveIds = async ({ owner }: Workshop): Promise<string[]> =>
      ((await owner.get("/v1/request-log")).json as unknown as Page).requests.map(
        ({ request_id }) => request_id,
      );
    await eventually(async () => assert.deepEqual(await liveIds(ours), [requestId]));
    assert.deepEqual(await liveIds(theirs), []);
    const inTest = (await ours.page("&page_size=100")).requests;
    assert.equal(
      inTest.some(({ request_id }) => request_id === requestId),
      false,
    );
    const analyst = await openDashboard(service, ours.workspaceId, "analyst");
    assert.equal((await analyst.get(PATH)).status, 403);
  });
});
