import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { decodeBatch, noRecords } from "../../../src/path/journal/batch-codec.js";
import { auditOf, bearer, login, personOf, type Person } from "../../support/people/accounts.js";
import { outcomeReport } from "../../support/people/client-requests.js";
import { openDashboard, type Dashboard } from "../../support/people/dashboard.js";
import { newId } from "../../support/people/tenants.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";

const EMAIL = "root@pay.example";
const PASSWORD = "platform password";
const LIST = "/v1/admin/set-aside";
const UNKNOWN = { statusCode: 404, message: "Record not found", error: "Not Found" };

type SetAside = Record<string, unknown> & { set_aside_id: string; decision_id: string };
interface Alert {
  alert_id: string;
  kind: string;
  severity: string;
  provider: string | null;
  segment_key: string | null;
  reason_code: string;
  closed_at: string | null;
  acknowledged_by: string | null;
}

let service: RunningService;
let admin: Person;
let owner: Dashboard;
before(async () => {
  service = await startTestService({
    PLATFORM_ADMIN_EMAIL: EMAIL,
    PLATFORM_ADMIN_PASSWORD: PASSWORD,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
  });
  admin = personOf(await login(service, EMAIL, PASSWORD));
  owner = await openDashboard(service, service.workspaceId);
});

const asAdmin = (method: string, path: string, body?: unknown): Promise<Reply> =>
  send(service, method, path, {
    key: null,
    headers: bearer(admin.token),
    ...(body === undefined ? {} : { body }),
  });
const retry = (id: string): Promise<Reply> => asAdmin("POST", `${LIST}/${id}/retry`);
const discard = (id: string, reason = "The customer was paid back by hand"): Promise<Reply> =>
  asAdmin("POST", `${LIST}/${id}/discard`, { reason });
const records = async (query = ""): Promise<SetAside[]> => {
  const { status, json, text } = await asAdmin("GET", LIST + query);
  assert.equal(status, 200, text);
  return json["records"] as SetAside[];
};

const refuse = (orderIds: string): Promise<unknown> =>
  service.pool.query(
    `alter table decisions add constraint outsider check (order_id not like '${orderIds}') not valid`,
  );
const letIn = (): Promise<unknown> => service.pool.query("alter table decisions drop constraint outsider");

/**
 * Makes a decision for each order and waits until PostgreSQL has refused them. Resolves to their records, in that
 * order.
 */
async function setAside(...orderIds: string[]): Promise<SetAside[]> {
  const ids: string[] = [];
  for (const order_id of orderIds) {
    const { status, json } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ order_id }),
    });
    assert.equal(status, 200);
    ids.push(String(json["decision_id"]));
  }
  const found = async (): Promise<(SetAside | undefined)[]> => {
    const all = await records("?page_size=100");
    return ids.map((id) => all.find(({ decision_id }) => decision_id === id));
  };
  await eventually(async () => assert.ok((await found()).every((record) => record !== undefined)));
  return (await found()) as SetAside[];
}

/** The entries about a record in a workspace's audit log. */
async function actsOn(id: string, workspaceId: string): Promise<unknown[]> {
  const all = await auditOf(service, workspaceId);
  return all
    .filter(({ resource }) => resource === id)
    .map(({ actor, action, metadata }) => [actor, action, metadata]);
}

const openAlerts = async (ask: () => Promise<Reply>): Promise<Alert[]> =>
  ((await ask()).json["alerts"] as Alert[]).filter(
    ({ kind, closed_at }) => kind === "set_aside" && closed_at === null,
  );
const ownersAlerts = (): Promise<Alert[]> => openAlerts(() => owner.get("/v1/alerts"));
const adminsAlerts = (): Promise<Alert[]> => openAlerts(() => asAdmin("GET", "/v1/alerts"));

describe("the platform admin manages records that PostgreSQL refused", () => {
  it("DUR-12: lists records newest first; shows one with its bytes; a retry is refused, and a later one stores it", async () => {
    await refuse("order\\_refused%");
    const [first, second] = await setAside("order_refused_1", "order_refused_2");
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual(
      (await records()).map(({ set_aside_id }) => set_aside_id),
      [second.set_aside_id, first.set_aside_id],
    );
    const page = await asAdmin("GET", `${LIST}?page_size=1`);
    assert.deepEqual(page.json, { records: [second], has_more: true });
    const older = await asAdmin("GET", `${LIST}?page_size=1&starting_after=${second.set_aside_id}`);
    assert.deepEqual(older.json, { records: [first], has_more: false });
    const newer = await asAdmin("GET", `${LIST}?ending_before=${first.set_aside_id}`);
    assert.deepEqual(newer.json, { records: [second], has_more: false });
    const nowhere = await asAdmin("GET", `${LIST}?starting_after=${newId("sas")}`);
    assert.deepEqual(nowhere.json, { records: [], has_more: false });

    const { status, json } = await asAdmin("GET", `${LIST}/${first.set_aside_id}`);
    assert.equal(status, 200);
    const { order_id, entry_base64, entry, ...record } = json["record"] as SetAside;
    assert.deepEqual(record, first);
    assert.equal(order_id, "order_refused_1");
    assert.deepEqual(
      [record["kind"], record["workspace_id"], record["mode"], record["sql_state"]],
      ["decision", service.workspaceId, "test", "23514"],
    );
    assert.match(String(record["message"]), /violates check constraint "outsider"/);
    const { decision } = entry as { decision: Record<string, unknown> };
    assert.deepEqual([decision["decision_id"], decision["order_id"]], [first.decision_id, order_id]);
    assert.equal((decision["document"] as { request: { order_id: string } }).request.order_id, order_id);
    const held = noRecords();
    decodeBatch(Buffer.from(String(entry_base64), "base64"), held);
    assert.equal(held.decisions[0]?.orderId.toString(), order_id);

    const body = { ...outcomeReport(first.decision_id), order_id };
    assert.equal((await send(service, "POST", "/v1/outcomes", { body })).status, 200);
    const again = await retry(first.set_aside_id);
    const message = "PostgreSQL still refuses the record: SQLSTATE 23514";
    assert.deepEqual(again.json, { statusCode: 409, message, error: "Conflict" });
    // The message of the new refusal replaces that of the first one.
    await letIn();
    await service.pool.query(
      `create function outsider() returns trigger language plpgsql as $$
       begin raise exception 'not this one' using errcode = '22000'; end $$;
       create trigger outsider before insert on decisions for each row
       when (new.order_id = 'order_refused_1') execute function outsider()`,
    );
    const other = await retry(first.set_aside_id);
    assert.equal(other.json["message"], "PostgreSQL still refuses the record: SQLSTATE 22000");
    const changed = (await asAdmin("GET", `${LIST}/${first.set_aside_id}`)).json["record"] as SetAside;
    assert.deepEqual([changed["sql_state"], changed["message"]], ["22000", "not this one"]);
    assert.equal((await send(service, "GET", `/v1/decisions/${first.decision_id}`)).status, 503);

    await service.pool.query("drop trigger outsider on decisions");
    const stored = await retry(first.set_aside_id);
    assert.equal(stored.status, 200, stored.text);
    assert.deepEqual((stored.json["record"] as SetAside).decision_id, first.decision_id);
    const read = await sendRead(service, "GET", `/v1/decisions/${first.decision_id}`);
    assert.deepEqual([read.status, read.json["order_id"]], [200, "order_refused_1"]);
    // This outcome was reported while the decision was set aside. It finds the decision long before its hour of waiting
    // ends.
    await eventually(async () => {
      const { rowCount } = await service.pool.query(
        "select from outcomes where order_id = 'order_refused_1'",
      );
      assert.equal(rowCount, 1);
    });
    for (const reply of [
      await retry(first.set_aside_id),
      await asAdmin("GET", `${LIST}/${first.set_aside_id}`),
    ]) {
      assert.deepEqual(reply.json, UNKNOWN);
    }
    assert.deepEqual((await retry("sas_none")).json, UNKNOWN);
    assert.equal((await retry(second.set_aside_id)).status, 200);
    const { decision_id } = second;
    const metadata = { kind: "decision", decision_id, result: "stored" };
    for (const workspaceId of [service.workspaceId, admin.workspaceId]) {
      assert.deepEqual(await actsOn(second.set_aside_id, workspaceId), [
        [admin.userId, "set_aside.retried", metadata],
      ]);
    }
  });

  it("DUR-12: a record can be discarded with a reason that the audit logs keep; its decision is then unknown", async () => {
    await refuse("order\\_given\\_up");
    const [record] = await setAside("order_given_up");
    assert.ok(record !== undefined);
    const without = await asAdmin("POST", `${LIST}/${record.set_aside_id}/discard`, {});
    assert.equal(without.status, 400);
    assert.equal((await retry(record.set_aside_id)).status, 409);
    const done = await discard(record.set_aside_id);
    assert.deepEqual([done.status, done.text], [204, ""]);
    assert.deepEqual((await discard(record.set_aside_id)).json, UNKNOWN);
    await letIn();
    assert.equal((await sendRead(service, "GET", `/v1/decisions/${record.decision_id}`)).status, 404);
    const common = { kind: "decision", decision_id: record.decision_id };
    const expected = [
      [admin.userId, "set_aside.retried", { ...common, result: "refused", sql_state: "23514" }],
      [admin.userId, "set_aside.discarded", { ...common, reason: "The customer was paid back by hand" }],
    ];
    for (const workspaceId of [service.workspaceId, admin.workspaceId]) {
      assert.deepEqual(await actsOn(record.set_aside_id, workspaceId), expected);
    }
  });

  it("DUR-12: one of several concurrent requests succeeds, and the others answer that no record waits", async () => {
    await refuse("order\\_wanted%");
    const all = await setAside("order_wanted_1", "order_wanted_2", "order_wanted_3");
    await letIn();
    for (const { set_aside_id: id, decision_id } of all) {
      const replies = await Promise.all([retry(id), retry(id), discard(id), retry(id)]);
      const done = replies.filter(({ status }) => status === 200 || status === 204);
      assert.equal(done.length, 1, replies.map(({ text }) => text).join());
      for (const { json } of replies.filter((reply) => !done.includes(reply)))
        assert.deepEqual(json, UNKNOWN);
      const read = await sendRead(service, "GET", `/v1/decisions/${decision_id}`);
      assert.equal(read.status, done[0]?.status === 200 ? 200 : 404);
      for (const workspaceId of [service.workspaceId, admin.workspaceId]) {
        assert.equal((await actsOn(id, workspaceId)).length, 1);
      }
    }
  });

  it("DUR-12: an outcome that was refused on its decision's arrival is stored with the decision", async () => {
    await service.pool.query(
      "alter table outcomes add constraint outsider check (provider_latency_ms <> 321) not valid",
    );
    await refuse("order\\_late");
    const [decision] = await setAside("order_late");
    assert.ok(decision !== undefined);
    const body = { ...outcomeReport(decision.decision_id), order_id: "order_late" };
    assert.equal((await send(service, "POST", "/v1/outcomes", { body })).status, 200);
    await letIn();
    await eventually(async () => {
      const { rowCount } = await service.pool.query("select from unmatched_outcomes");
      assert.equal(rowCount, 1);
    });
    assert.equal((await retry(decision.set_aside_id)).status, 200);
    await eventually(async () => assert.equal((await records())[0]?.["kind"], "kept_outcome"));
    const [kept] = await records();
    assert.ok(kept !== undefined);
    const shown = (await asAdmin("GET", `${LIST}/${kept.set_aside_id}`)).json["record"] as SetAside;
    assert.equal(shown["order_id"], "order_late");
    assert.equal((await retry(kept.set_aside_id)).status, 409);
    await service.pool.query("alter table outcomes drop constraint outsider");
    assert.equal((await retry(kept.set_aside_id)).status, 200);
    const read = await sendRead(service, "GET", `/v1/decisions/${decision.decision_id}`);
    assert.equal((read.json["outcome"] as { outcome: string }).outcome, "approved");
  });
});

describe("an alert is open while a record waits", () => {
  it("DUR-11, DUR-13: it is critical, for the record's workspace and for the platform admin, until the last one is stored or discarded", async () => {
    assert.deepEqual([await ownersAlerts(), await adminsAlerts()], [[], []]);
    await refuse("order\\_told%");
    const [first, second] = await setAside("order_told_1", "order_told_2");
    assert.ok(first !== undefined && second !== undefined);
    const [own, platform] = [await ownersAlerts(), await adminsAlerts()];
    for (const [alert, ...others] of [own, platform]) {
      assert.deepEqual(others, []);
      assert.deepEqual(
        [alert?.severity, alert?.provider, alert?.segment_key, alert?.reason_code],
        ["critical", null, null, "RECORDS_SET_ASIDE"],
      );
    }
    assert.notEqual(own[0]?.alert_id, platform[0]?.alert_id);
    const ofTest = await openAlerts(() => owner.get("/v1/alerts?mode=test"));
    assert.deepEqual(ofTest, own);
    const stranger = await openDashboard(service, await newWorkspace());
    assert.deepEqual(await openAlerts(() => stranger.get("/v1/alerts")), []);

    const acknowledge = (id = ""): string => `/v1/alerts/${id}/acknowledge`;
    assert.equal((await asAdmin("POST", acknowledge(platform[0]?.alert_id))).status, 200);
    assert.equal((await adminsAlerts())[0]?.acknowledged_by, admin.userId);
    assert.equal((await owner.request("POST", acknowledge(platform[0]?.alert_id))).status, 404);
    assert.equal((await owner.request("POST", acknowledge(own[0]?.alert_id))).status, 200);

    await letIn();
    assert.equal((await discard(first.set_aside_id)).status, 204);
    assert.deepEqual([(await ownersAlerts()).length, (await adminsAlerts()).length], [1, 1]);
    assert.equal((await retry(second.set_aside_id)).status, 200);
    assert.deepEqual([await ownersAlerts(), await adminsAlerts()], [[], []]);
    await eventually(async () => {
      assert.match(await (await fetch(service.metricsUrl)).text(), /^payinference_set_aside 0$/m);
    });
  });
});

async function newWorkspace(): Promise<string> {
  const workspaceId = newId("ws");
  await service.pool.query("insert into workspaces (workspace_id, name) values ($1, 'Other')", [
    idToHex(workspaceId),
  ]);
  return workspaceId;
}
