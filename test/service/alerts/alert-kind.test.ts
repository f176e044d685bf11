import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import {
  ALERT_KINDS,
  alertKindRow,
  type AlertAudience,
  type AlertKind,
} from "../../../src/domain/vocabulary/alert-kinds.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { EVERYBODY, PLATFORM } from "../../../src/features/alerts/alert-workspaces.js";
import {
  acknowledgeAlert,
  listAlerts,
  listPlatformAlerts,
  type Alert,
} from "../../../src/features/alerts/queries.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";
import { newId } from "../../support/people/tenants.js";

/** A code that only a newer node knows. */
const UNKNOWN_CODE = 32_767;

let database: TestDatabase;
let workspaceId: string;
before(async () => {
  database = await createTestDatabase();
  workspaceId = newId("ws");
});

/** The alerts differ only in their kind. */
async function insert(audience: AlertAudience, code: number): Promise<string> {
  const workspaces = { everybody: EVERYBODY, workspace: idToHex(workspaceId), platform_admin: PLATFORM };
  const alertId = newId("alr");
  await database.pool.query(
    `insert into alerts (workspace_id, kind, alert_id, severity, reason_code, opened_at, confirmed_at)
     values ($1, $2, $3, 1, 'CODE', now(), now())`,
    [workspaces[audience], code, idToHex(alertId)],
  );
  return alertId;
}

const kindsOf = (alerts: readonly Alert[]): AlertKind[] => alerts.map(({ kind }) => kind).toSorted();
const shownTo = (...audiences: AlertAudience[]): AlertKind[] =>
  audiences
    .flatMap((audience) => ALERT_KINDS.filter((kind) => alertKindRow(kind).shownTo.includes(audience)))
    .toSorted();

describe("alerts have a stored kind", () => {
  it("ALRT-12: with one open alert of each kind, each audience sees the kinds meant for it", async () => {
    const tenant = tenantsOf(database.pool).of(workspaceId);
    for (const audience of ["everybody", "workspace", "platform_admin"] as const) {
      for (const kind of ALERT_KINDS) await insert(audience, alertKindRow(kind).code);
      await assert.rejects(insert(audience, alertKindRow("set_aside").code), { code: "23505" });
      const unknown = await insert(audience, UNKNOWN_CODE);
      const author = { auditId: newId("aud"), actor: newId("usr") };
      assert.equal(await acknowledgeAlert(tenant, workspaceId, unknown, author), null);
    }
    const own = await listAlerts(tenant, workspaceId, "live");
    assert.deepEqual(kindsOf(own), shownTo("everybody", "workspace"));
    const platform = await listPlatformAlerts(database.pool, workspaceId);
    assert.deepEqual(kindsOf(platform), shownTo("platform_admin"));
    await database.pool.query("update alerts set closed_at = now()");
    assert.deepEqual(kindsOf(await listAlerts(tenant, workspaceId, "live")), kindsOf(own));
  });

  it("ALRT-13: an open alert of the platform is listed, however many have closed since", async () => {
    const { code } = alertKindRow("set_aside");
    await database.pool.query("update alerts set closed_at = now() where closed_at is null");
    const open = await insert("platform_admin", code);
    await database.pool.query(
      `insert into alerts (workspace_id, kind, alert_id, severity, reason_code, opened_at, closed_at, confirmed_at)
       select $1, $2, ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, 1, 'CODE', now(), now(), now()
       from generate_series(1, $3::integer)`,
      [PLATFORM, code, LIMITS.closedAlertsListedMax],
    );
    const listed = await listPlatformAlerts(database.pool, workspaceId);
    assert.ok(listed.some(({ alertId }) => alertId === open));
  });
});
