import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { ALERT_KINDS, alertKindRow, type AlertKind } from "../../../src/domain/vocabulary/alert-kinds.js";
import { idFromHex, idTimeMs, idToHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { dropOldDeliveries } from "../../../src/features/events/queries/due.js";
import { leaseEndpoints } from "../../../src/features/events/queries/lease.js";
import { tellNextPage } from "../../../src/features/events/queries/fan-out.js";
import { EVERYBODY, PLATFORM } from "../../../src/features/alerts/alert-workspaces.js";
import { createEventDeliveries } from "../../../src/features/events/deliveries.js";
import { createEventEndpoints, type EventEndpointsOptions } from "../../../src/features/events/service.js";
import { EventSender } from "../../../src/features/events/sender/event-sender.js";
import { RETRY_PAUSES_SECONDS } from "../../../src/features/events/sender/retry-pauses.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import type { Principal } from "../../../src/path/access/session.js";
import { createSecretBox } from "../../../src/platform/node/secret-box.js";
import { startScriptedServer, type Behaviour } from "../../support/http/scripted-server.js";
import { freePort } from "../../support/machine/free-port.js";
import { newId } from "../../support/people/tenants.js";
import { untilPasses } from "../../support/waiting/eventually.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";

/** The tests of this file move waiting deliveries into the past instead of waiting for the pauses. */

const box = createSecretBox("0123456789abcdef0123456789abcdef");
/** No attempt of a test ends by this limit. */
const HANGS_MS = 300_000;
/** The endpoints beside a hanging one, and the number of events for each. */
const OTHERS = 20;
const ROUNDS = 5;
/** An hour in parts, in seconds. Each part has an event. */
const PARTS_OF_AN_HOUR = [5, 30, 120, 600, 1800, 1045];
const OK: Behaviour = (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
const FAILS: Behaviour = (socket) => void socket.write("HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n");

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

function newSender(nodeId = newId("aud"), timeoutMs = 10_000): EventSender {
  return new EventSender({
    pool: database.pool,
    nodeId,
    box,
    resolve: () => assert.fail("an address was resolved"),
    allowsPrivate: true,
    timeoutMs,
    now: () => Date.now(),
    onError: (error) => assert.fail(String(error)),
  });
}

/** A workspace with an endpoint that gets the events about keys, and the endpoint's receiver. */
async function situation(behave: Behaviour) {
  const workspaceId = newId("ws");
  await insertWorkspace(database.pool, { workspaceId, name: "Shop" });
  const receiver = await startScriptedServer(behave);
  const parts: EventEndpointsOptions = {
    tenants: tenantsOf(database.pool),
    attempt: (work) => work(),
    secretBox: box,
    nextId: () => newId("aud").slice("aud_".length),
    now: () => Date.now(),
  };
  const endpoints = createEventEndpoints(parts);
  const deliveries = createEventDeliveries(parts);
  const by: Principal = {
    sessionKey: "session",
    userId: newId("usr"),
    workspaceId,
    role: "owner",
    workspaceStatus: "active",
    isPlatformAdmin: false,
    mustEnrolCodes: false,
  };
  const created = await endpoints.create(by, {
    url: `${receiver.url}/events`,
    types: ["key.created", "key.revoked"],
    description: null,
    format: "standard",
  });
  assert.ok(typeof created === "object" && "secret" in created);
  const { secret, endpoint } = created;
  const { endpointId } = endpoint;
  const workspace = idToHex(workspaceId);
  const addKey = async (): Promise<string> => {
    const { rows } = await database.pool.query<{ key_id: string }>(
      `insert into api_keys (workspace_id, key_id, public_id, name, mode, scopes, salt, secret_hash)
       values ($1, new_ulid(), new_ulid(), 'Key', 0, '{0}', '\\x00', decode(repeat('00', 32), 'hex')) returning key_id`,
      [workspace],
    );
    return rows[0]?.key_id ?? "";
  };
  const revoke = (keyId: string) =>
    database.pool.query("update api_keys set revoked_at = now() where workspace_id = $1 and key_id = $2", [
      workspace,
      keyId,
    ]);
  const state = async () => {
    const found = await deliveries.list(by, endpointId, { pageSize: 100, cursor: null });
    assert.ok(found !== null && found !== "unavailable");
    return found.deliveries;
  };
  /** Moves all waiting deliveries this far into the past. */
  const pass = (seconds: number) =>
    database.pool.query(
      `update event_deliveries set next_try_at = next_try_at - $2::integer * interval '1 second',
         first_tried_at = first_tried_at - $2::integer * interval '1 second'
       where workspace_id = $1`,
      [workspace, seconds],
    );
  const endpointNow = async () => {
    const found = await endpoints.list(by, { pageSize: 1, cursor: null });
    assert.ok(found !== "unavailable");
    return found.endpoints[0];
  };
  const alertsOpen = async (): Promise<number> => {
    const { rows } = await database.pool.query(
      "select from alerts where workspace_id = $1 and kind = $2 and closed_at is null",
      [workspace, alertKindRow("event_endpoint").code],
    );
    return rows.length;
  };
  const events = (of = receiver) =>
    of.requests.map(({ body, headers }) => ({
      id: headers["webhook-id"],
      ...(new Webhook(secret).verify(body, { ...headers }) as { type: string; data: { api_key_id: string } }),
    }));
  const typesAndKeys = () => events().map(({ type, data }) => `${type} ${data.api_key_id}`);
  return {
    by,
    workspaceId,
    endpointId,
    endpoints,
    deliveries,
    receiver,
    addKey,
    revoke,
    state,
    pass,
    endpointNow,
    alertsOpen,
    events,
    typesAndKeys,
  };
}

async function lookOnce(sender: EventSender): Promise<void> {
  await sender.look();
  await sender.idle();
}

const told = (type: string, keyId: string): string => `${type} ${idFromHex("key", keyId)}`;

describe("EVT-12: the outbox", () => {
  it("an event is stored with its change, and is not where the change is rolled back", async () => {
    const { addKey, revoke, state, workspaceId } = await situation(OK);
    const client = await database.pool.connect();
    await client.query("begin");
    await client.query(
      `insert into api_keys (workspace_id, key_id, public_id, name, mode, scopes, salt, secret_hash)
       values ($1, new_ulid(), new_ulid(), 'Key', 0, '{0}', '\\x00', decode(repeat('00', 32), 'hex'))`,
      [idToHex(workspaceId)],
    );
    await client.query("rollback");
    client.release();
    assert.deepEqual(await state(), []);
    const keyId = await addKey();
    await revoke(keyId);
    assert.deepEqual(
      (await state()).map(({ type }) => type).toSorted(),
      ["key.created", "key.revoked"].toSorted(),
    );
  });

  it("a change is stored, and not refused, while its endpoint is being deleted", async () => {
    const { workspaceId, endpointId, addKey } = await situation(OK);
    const client = await database.pool.connect();
    await client.query("begin");
    await client.query("delete from event_endpoints where endpoint_id = $1", [idToHex(endpointId)]);
    const adding = addKey();
    await untilPasses(async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      assert.equal(rows.length, 1);
    });
    await client.query("commit");
    client.release();
    const keyId = await adding;
    const { rows } = await database.pool.query<{ key_id: string }>(
      "select key_id from api_keys where workspace_id = $1",
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, [{ key_id: keyId }]);
  });

  it("is empty where nobody listens", async () => {
    const workspaceId = newId("ws");
    await insertWorkspace(database.pool, { workspaceId, name: "Quiet" });
    await database.pool.query(
      `insert into api_keys (workspace_id, key_id, public_id, name, mode, scopes, salt, secret_hash)
       values ($1, new_ulid(), new_ulid(), 'Key', 0, '{0}', '\\x00', decode(repeat('00', 32), 'hex'))`,
      [idToHex(workspaceId)],
    );
    const { rows } = await database.pool.query("select from event_deliveries where workspace_id = $1", [
      idToHex(workspaceId),
    ]);
    assert.equal(rows.length, 0);
  });

  it("names every kind of alert as the API does", async () => {
    for (const kind of ALERT_KINDS) {
      const { rows } = await database.pool.query<{ kind: string }>(
        "select alert_kind_text($1::smallint) as kind",
        [alertKindRow(kind).code],
      );
      assert.equal(rows[0]?.kind, kind);
    }
  });

  it("shows ids as the API does", async () => {
    for (const id of [newId("key"), "key_00000000000000000000000000", "key_7zzzzzzzzzzzzzzzzzzzzzzzzz"]) {
      const { rows } = await database.pool.query<{ id: string }>("select id_text('key', $1) as id", [
        idToHex(id),
      ]);
      assert.equal(rows[0]?.id, id);
    }
  });
});

describe("EVT-13: the receivers of an alert", () => {
  it("an alert that every workspace sees goes to each, and a workspace's own goes to it alone", async () => {
    const [own, other] = [await situation(OK), await situation(OK)];
    for (const { by, endpoints, endpointId } of [own, other])
      await endpoints.update(by, endpointId, { types: ["alert.opened", "alert.closed"] });
    const open = async (workspace: string, kind: AlertKind): Promise<void> => {
      await database.pool.query(
        `insert into alerts (workspace_id, kind, alert_id, mode, severity, provider, segment_key, reason_code, opened_at,
           confirmed_at)
         values ($1, $2, new_ulid(), 1, 1, 'provider_1', 'provider_1:card:USD', 'CIRCUIT_OPEN', now(), now())`,
        [workspace, alertKindRow(kind).code],
      );
    };
    await open(EVERYBODY, "provider_health");
    await open(idToHex(own.workspaceId), "workspace_health");
    await open(PLATFORM, "clock");
    await database.pool.query("update alerts set closed_at = now() where closed_at is null");
    while (await tellNextPage(database.pool));
    const typesTold = async ({ state }: typeof own): Promise<string[]> =>
      (await state()).map(({ type }) => type).toSorted();
    assert.deepEqual(await typesTold(own), ["alert.closed", "alert.closed", "alert.opened", "alert.opened"]);
    assert.deepEqual(await typesTold(other), ["alert.closed", "alert.opened"]);
    // An event has the same id at all endpoints.
    const ids = async ({ state }: typeof own): Promise<string[]> =>
      (await state()).map(({ eventId }) => eventId);
    const ofOwn = await ids(own);
    for (const id of await ids(other)) assert.ok(ofOwn.includes(id));
    for (const { by, endpoints, endpointId } of [own, other]) await endpoints.remove(by, endpointId);
  });
});

describe("EVT-11: deliveries", () => {
  it("are listed in pages, and leave 7 days after nothing is left to do", async () => {
    const { by, deliveries, endpointId, addKey, state } = await situation(OK);
    for (let key = 0; key < 3; key++) await addKey();
    const all = (await state()).map(({ deliveryId }) => deliveryId);
    assert.deepEqual(all, all.toSorted().toReversed());
    const page = async (kind: "older_than" | "newer_than", id: string) => {
      const found = await deliveries.list(by, endpointId, { pageSize: 1, cursor: { kind, id } });
      assert.ok(found !== null && found !== "unavailable");
      return [found.deliveries.map(({ deliveryId }) => deliveryId), found.hasMore];
    };
    assert.deepEqual(await page("older_than", all[0] ?? ""), [[all[1]], true]);
    assert.deepEqual(await page("older_than", all[1] ?? ""), [[all[2]], false]);
    assert.deepEqual(await page("newer_than", all[1] ?? ""), [[all[0]], false]);
    assert.deepEqual(await page("older_than", newId("dlv")), [[], false]);

    const later = Date.now() + LIMITS.eventDeliveriesKeptMs + 60_000;
    await dropOldDeliveries(database.pool, later);
    assert.equal((await state()).length, 3);
    await lookOnce(newSender());
    await dropOldDeliveries(database.pool, Date.now());
    assert.equal((await state()).length, 3);
    await dropOldDeliveries(database.pool, later);
    assert.deepEqual(await state(), []);
  });
});

describe("EVT-7: the sender", () => {
  it("EVT-9: sends signed events, each subject's in order", async () => {
    const { addKey, revoke, typesAndKeys, state } = await situation(OK);
    const keys = [await addKey(), await addKey()];
    for (const key of keys) await revoke(key);
    await lookOnce(newSender());
    for (const key of keys) {
      const ofKey = typesAndKeys().filter((text) => text.endsWith(idFromHex("key", key)));
      assert.deepEqual(ofKey, [told("key.created", key), told("key.revoked", key)]);
    }
    for (const { deliveredAt, attempts, lastStatus } of await state())
      assert.deepEqual([deliveredAt !== null, attempts, lastStatus], [true, 1, 200]);
  });

  it("after a failure the subject's later events wait, others do not, and the id stays", async () => {
    let refused = "";
    const { addKey, revoke, typesAndKeys, events, pass, endpointNow } = await situation(
      (socket, request, index) => {
        if (refused !== "" && request.body.includes(refused)) return FAILS(socket, request, index);
        OK(socket, request, index);
      },
    );
    const [bad, good] = [await addKey(), await addKey()];
    await revoke(bad);
    refused = idFromHex("key", bad);
    const sender = newSender();
    await lookOnce(sender);
    // A failed attempt ends the endpoint's turn. The next look sends the other deliveries.
    await lookOnce(sender);
    assert.deepEqual(typesAndKeys(), [told("key.created", bad), told("key.created", good)]);
    refused = "";
    await lookOnce(sender);
    assert.equal(events().length, 2);
    await pass(RETRY_PAUSES_SECONDS[0]);
    await lookOnce(sender);
    await lookOnce(sender);
    assert.deepEqual(typesAndKeys().slice(2), [told("key.created", bad), told("key.revoked", bad)]);
    assert.equal(events()[0]?.id, events()[2]?.id);
    assert.equal((await endpointNow())?.failingSince, null);
  });

  it("EVT-17: one endpoint that hangs delays no other endpoint's events", async (t) => {
    const open: Socket[] = [];
    const hanging = await situation((socket) => void open.push(socket));
    const others = await Promise.all(Array.from({ length: OTHERS }, () => situation(OK)));
    await hanging.addKey();
    const sender = newSender(newId("aud"), HANGS_MS);
    await sender.look();
    await untilPasses(async () => assert.equal(hanging.receiver.requests.length, 1));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { addKey } of others) await addKey();
      // The pause is as long as the one that a node makes between two looks.
      await new Promise((resolve) => setTimeout(resolve, TUNING.eventLookIntervalMs));
      await sender.look();
    }
    await untilPasses(async () => {
      await sender.look();
      for (const { typesAndKeys } of others) assert.equal(typesAndKeys().length, ROUNDS);
    });
    // The hanging request is still under way, and the events of all other endpoints have arrived.
    assert.deepEqual([open.length, open[0]?.destroyed, (await hanging.state())[0]?.attempts], [1, false, 0]);
    await untilPasses(async () => {
      const delivered = (await Promise.all(others.map(({ state }) => state()))).flat();
      const lateMs = delivered
        .map(({ deliveryId, deliveredAt }) => (deliveredAt ?? assert.fail()).getTime() - idTimeMs(deliveryId))
        .toSorted((a, b) => a - b);
      t.diagnostic(`others' events are ${lateMs.at(Math.ceil(lateMs.length * 0.99) - 1)} ms late (p99)`);
    });
    for (const socket of open) socket.destroy();
    await sender.idle();
    assert.deepEqual(
      (await hanging.state()).map(({ attempts, lastError }) => [attempts, lastError]),
      [[1, "connection"]],
    );
  });

  it("EVT-16: a receiver that is gone for an hour gets all that happened meanwhile, each subject's in order", async () => {
    const { by, endpoints, endpointId, addKey, revoke, pass, state, endpointNow, alertsOpen, events } =
      await situation(OK);
    const port = await freePort();
    await endpoints.update(by, endpointId, { url: `http://127.0.0.1:${port}/events` });
    const sender = newSender();
    const keys: string[] = [];
    for (const seconds of PARTS_OF_AN_HOUR) {
      const last = keys.at(-1);
      if (last !== undefined) await revoke(last);
      keys.push(await addKey());
      await lookOnce(sender);
      await lookOnce(sender);
      await pass(seconds);
    }
    assert.deepEqual(
      new Set((await state()).map(({ lastError }) => lastError)),
      new Set(["connection", null]),
    );
    const receiver = await startScriptedServer(OK, port);
    for (let part = 0; part < 6; part++) {
      await pass(600);
      // A failed attempt ends the endpoint's turn, and its later deliveries leave at the next look.
      for (let look = 0; look < 2; look++) await lookOnce(sender);
    }
    for (const { deliveredAt } of await state()) assert.notEqual(deliveredAt, null);
    const arrived = events(receiver);
    assert.equal(new Set(arrived.map(({ id }) => id)).size, keys.length * 2 - 1, "nothing is lost");
    for (const [index, key] of keys.entries()) {
      const types = arrived
        .filter(({ data }) => data.api_key_id === idFromHex("key", key))
        .map(({ type }) => type);
      assert.deepEqual(types, index === keys.length - 1 ? ["key.created"] : ["key.created", "key.revoked"]);
    }
    assert.deepEqual([(await endpointNow())?.status, await alertsOpen()], ["enabled", 0]);
  });

  it("two nodes send nothing twice, and take up a dead node's deliveries", async () => {
    const { addKey, typesAndKeys, workspaceId } = await situation(OK);
    const keys = await Promise.all(Array.from({ length: 5 }, addKey));
    const senders = [newSender(), newSender()];
    for (let round = 0; round < 3; round++) await Promise.all(senders.map(lookOnce));
    assert.deepEqual(typesAndKeys().toSorted(), keys.map((key) => told("key.created", key)).toSorted());

    const late = await addKey();
    const dead = newId("aud");
    await leaseEndpoints(database.pool, { nodeId: dead, failing: false, endpointsMax: 100, after: null });
    await lookOnce(newSender());
    assert.equal(typesAndKeys().length, keys.length);
    await database.pool.query(
      `update event_endpoints set leased_until = leased_until - interval '${TUNING.eventLeaseSeconds} seconds'
       where workspace_id = $1`,
      [idToHex(workspaceId)],
    );
    await lookOnce(newSender());
    assert.deepEqual(typesAndKeys().slice(keys.length), [told("key.created", late)]);
  });

  it("EVT-17: an endpoint has its turn although more wait before it than one look walks past", async () => {
    const early = newId("ws");
    await insertWorkspace(database.pool, { workspaceId: early, name: "Crowd" });
    await database.pool.query(
      `with crowd as (
         insert into event_endpoints (workspace_id, endpoint_id, url, types, format, sealed, status)
         select $1, new_ulid(), 'https://example.com', '{}', 'standard', '', 'disabled'
         from generate_series(1, $2) returning endpoint_id)
       insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
       select $1, endpoint_id, new_ulid(), new_ulid(), 'key.created', 'key', '{}' from crowd`,
      [idToHex(early), TUNING.eventEndpointsLookedAtMax + 1],
    );
    const { workspaceId, addKey, typesAndKeys } = await situation(OK);
    assert.ok(early < workspaceId);
    const sender = newSender();
    for (let round = 0; round < 2; round++) {
      const key = await addKey();
      for (let look = 0; look < 3; look++) await lookOnce(sender);
      assert.equal(typesAndKeys()[round], told("key.created", key));
    }
    await database.pool.query("delete from event_endpoints where workspace_id = $1", [idToHex(early)]);
  });

  it("a node that starts again continues its leased deliveries", async () => {
    const { addKey, typesAndKeys } = await situation(OK);
    const key = await addKey();
    const nodeId = newId("aud");
    await leaseEndpoints(database.pool, { nodeId, failing: false, endpointsMax: 100, after: null });
    await lookOnce(newSender(nodeId));
    assert.deepEqual(typesAndKeys(), [told("key.created", key)]);
  });

  it("EVT-8: after 24 hours the endpoint is disabled with an alert, until it is enabled again", async () => {
    let behave = FAILS;
    const {
      by,
      endpoints,
      deliveries,
      endpointId,
      addKey,
      revoke,
      pass,
      state,
      endpointNow,
      alertsOpen,
      typesAndKeys,
    } = await situation((socket, request, index) => behave(socket, request, index));
    const key = await addKey();
    await revoke(key);
    const sender = newSender();
    await lookOnce(sender);
    for (const pause of RETRY_PAUSES_SECONDS) {
      assert.equal((await endpointNow())?.status, "enabled");
      assert.equal(await alertsOpen(), 0);
      await pass(pause);
      await database.pool.query(
        `update event_endpoints set failing_since = failing_since - $2::integer * interval '1 second'
         where endpoint_id = $1`,
        [idToHex(endpointId), pause],
      );
      await lookOnce(sender);
    }
    assert.equal((await endpointNow())?.status, "failed");
    assert.equal(await alertsOpen(), 1);
    assert.equal(typesAndKeys().length, RETRY_PAUSES_SECONDS.length + 1);
    for (const { nextTryAt, deliveredAt } of await state())
      assert.deepEqual([nextTryAt, deliveredAt], [null, null]);
    await addKey();
    assert.equal((await state()).length, 2);

    behave = OK;
    assert.equal(await deliveries.test(by, endpointId), "disabled");
    const enabled = await endpoints.update(by, endpointId, { status: "enabled" });
    assert.ok(enabled !== null && enabled !== "unavailable");
    assert.deepEqual([enabled.status, enabled.failingSince, await alertsOpen()], ["enabled", null, 0]);
    const [newest] = await state();
    assert.notEqual(await deliveries.redeliver(by, endpointId, newest?.deliveryId ?? ""), "unknown");
    await lookOnce(sender);
    assert.notEqual((await state())[0]?.deliveredAt, null);
  });

  it("EVT-8: one event that is never taken does not disable an endpoint that takes others", async () => {
    let refused = "";
    const { addKey, pass, endpointNow, alertsOpen, state } = await situation((socket, request, index) =>
      (refused !== "" && request.body.includes(refused) ? FAILS : OK)(socket, request, index),
    );
    const bad = await addKey();
    refused = idFromHex("key", bad);
    const sender = newSender();
    await lookOnce(sender);
    for (const pause of RETRY_PAUSES_SECONDS) {
      await addKey();
      await lookOnce(sender);
      await pass(pause);
      await lookOnce(sender);
    }
    const given = (await state()).filter(
      ({ nextTryAt, deliveredAt }) => nextTryAt === null && deliveredAt === null,
    );
    assert.equal(given.length, 1);
    assert.deepEqual([(await endpointNow())?.status, await alertsOpen()], ["enabled", 0]);
  });

  it("EVT-5: a disabled endpoint gets nothing, and continues where it was", async () => {
    const { by, endpoints, endpointId, addKey, typesAndKeys } = await situation(OK);
    const key = await addKey();
    await endpoints.update(by, endpointId, { status: "disabled" });
    await addKey();
    const sender = newSender();
    await lookOnce(sender);
    assert.deepEqual(typesAndKeys(), []);
    await endpoints.update(by, endpointId, { status: "enabled" });
    await lookOnce(sender);
    assert.deepEqual(typesAndKeys(), [told("key.created", key)]);
  });
});
