import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { bearer, login, newEmail, PASSWORD, personOf, post } from "../../support/people/accounts.js";
import { bytesOf, turnOnCodes } from "../../support/people/one-time-codes.js";
import { send, startTestService, type Reply, type RunningService } from "../../support/service/service.js";
import { startTraceCollector, type TraceCollector } from "../../support/service/trace-collector.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

const SECRET_KEY = "secret-key-of-this-deployment-51ce";
const PLATFORM_PASSWORD = "password of the platform 93ac";
const WRONG_PASSWORD = "a wrong password 7d1f";
const NEW_PASSWORD = "a new password 20bd";
const INVITED_PASSWORD = "password of the invited 44e0";
const WRONG_KEY = `pi_live_${"wrong".repeat(12)}`;
/** `refuse` renames these tables, so that PostgreSQL refuses statements with secrets in them. */
const TABLES = ["users", "api_keys", "invitations", "event_endpoints"];
/** This file holds the demo's key and password on purpose, for people who try the service. */
const DEMO_FILE = "demo.json";

let service: RunningService;
let collector: TraceCollector;
/** Each secret, by a description of it. */
const secrets = new Map<string, string>([
  ["the secret key", SECRET_KEY],
  ["the platform's password", PLATFORM_PASSWORD],
  ["a password", PASSWORD],
  ["a wrong password", WRONG_PASSWORD],
  ["a new password", NEW_PASSWORD],
  ["an invited person's password", INVITED_PASSWORD],
  ["a wrong key", WRONG_KEY],
]);

before(async () => {
  collector = await startTraceCollector();
  service = await startTestService({
    LOG_LEVEL: "debug",
    REGISTRATION: "open",
    SECRET_KEY,
    EVENTS_ALLOW_PRIVATE: "1",
    PLATFORM_ADMIN_EMAIL: "platform@example.com",
    PLATFORM_ADMIN_PASSWORD: PLATFORM_PASSWORD,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const demo = JSON.parse(await readFile(join(service.dataDir, DEMO_FILE), "utf8")) as { password: string };
  secrets.set("the demo's key", service.key).set("the demo's password", demo.password);
});

/** Remembers a member of an answer as a secret. */
function keep(name: string, { json, text, status }: Reply, ...path: readonly string[]): string {
  let value: unknown = json;
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  assert.ok(typeof value === "string" && value.length >= 6, `${name}: ${status} ${text}`);
  secrets.set(name, value);
  return value;
}

interface Known {
  email: string;
  token: string;
  key: string;
}

/** Makes one of each secret, and sends each to a place where it does not belong. */
async function makeSecrets(): Promise<Known> {
  const email = newEmail();
  const registered = await post(service, "/v1/auth/register", {
    email,
    password: PASSWORD,
    workspace_name: "Shop",
    merchant_id: "demo_merchant",
  });
  const { token } = personOf(registered);
  keep("a session's token", registered, "session", "token");
  assert.equal((await login(service, email, WRONG_PASSWORD)).status, 401);

  const body = { name: "Checkout", mode: "test", scopes: ["decision:write"] };
  const keyed = { body, key: null, headers: { ...bearer(token), "idempotency-key": "one" } };
  const made = await send(service, "POST", "/v1/api-keys", keyed);
  const key = keep("an API key", made, "secret");
  keep("the same, repeated", await send(service, "POST", "/v1/api-keys", keyed), "secret");
  const { id } = made.json["api_key"] as { id: string };
  keep(
    "a rotated key",
    await post(service, `/v1/api-keys/${id}/rotate`, { overlap_hours: 1 }, token),
    "secret",
  );

  const endpoint = { url: "http://127.0.0.1:1/", types: ["key.created"] };
  keep("an endpoint's secret", await post(service, "/v1/event-endpoints", endpoint, token), "secret");
  const webhook = { merchant_id: "demo_merchant" };
  const path = "/v1/integrations/provider_1/webhook-secret";
  const set = await send(service, "PUT", path, { body: webhook, key: null, headers: bearer(token) });
  keep("a webhook's secret", set, "secret");
  await makePeople(email, token);
  await misplace({ email, token, key });
  return { email, token, key };
}

/** Makes passwords, one-time codes, and the tokens of people who join or have forgotten their passwords. */
async function makePeople(email: string, token: string): Promise<void> {
  const invitation = { email: newEmail(), role: "analyst" };
  const invited = keep(
    "an invitation's token",
    await post(service, "/v1/team/invitations", invitation, token),
    "token",
  );
  const joining = { token: invited, name: "Grace", password: INVITED_PASSWORD };
  const member = personOf(await post(service, "/v1/auth/accept-invitation", joining));
  secrets.set("a member's token", member.token);
  const reset = await post(service, `/v1/team/${member.userId}/reset-password`, undefined, token);
  const redemption = { token: keep("a reset's token", reset, "token"), new_password: NEW_PASSWORD };
  assert.equal((await post(service, "/v1/auth/reset-password", redemption)).status, 204);

  const app = await turnOnCodes(service, { email, token, userId: "", workspaceId: "" });
  secrets.set("the secret of one-time codes", app.secret);
  for (const [index, code] of app.recoveryCodes.entries()) secrets.set(`recovery code ${index}`, code);
  const [recoveryCode] = app.recoveryCodes;
  const entering = { email, password: PASSWORD, code: recoveryCode };
  keep("a token got by a recovery code", await post(service, "/v1/auth/login", entering), "session", "token");
  assert.equal((await post(service, "/v1/auth/login", { ...entering, code: recoveryCode })).status, 401);
  const changing = { current_password: WRONG_PASSWORD, new_password: NEW_PASSWORD };
  assert.equal((await post(service, "/v1/auth/change-password", changing, token)).status, 403);
}

/** Sends secrets in an address, in another header and in a body that does not take them. */
async function misplace({ token, key }: Known): Promise<void> {
  const get = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await send(service, "GET", path, { key: null, headers })).status;
  assert.deepEqual(
    [
      await get(`/v1/decisions?api_key=${key}&token=${token}`, bearer(token)),
      await get(`/v1/${key}`, { "x-api-key": key }),
      await get("/v1/auth/me", { cookie: `payinference_session=${token}x` }),
      await get("/v1/auth/me", bearer(key)),
      await get("/v1/decisions", { "x-api-key": WRONG_KEY }),
      (await send(service, "POST", "/v1/decision", { body: { token, password: PASSWORD }, key })).status,
    ],
    [400, 404, 401, 401, 401, 400],
  );
}

/** PostgreSQL's errors hold values of the statements that it refuses. */
async function refuse({ email, token }: Known): Promise<void> {
  for (const table of TABLES) await service.pool.query(`alter table ${table} rename to ${table}_away`);
  const body = { name: "Checkout", mode: "test", scopes: ["decision:write"] };
  const statuses = [
    (await login(service, email)).status,
    (await post(service, "/v1/api-keys", body, token)).status,
    (await post(service, "/v1/auth/accept-invitation", { token, name: "Grace", password: PASSWORD })).status,
    (await post(service, "/v1/auth/reset-password", { token, new_password: NEW_PASSWORD })).status,
  ];
  for (const table of TABLES) await service.pool.query(`alter table ${table}_away rename to ${table}`);
  assert.ok(statuses.includes(503), statuses.join());
}

/** The rows of all tables as text. Bytes are in hexadecimal there. */
async function allRows(): Promise<string> {
  const { rows: tables } = await service.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await service.pool.query<{ text: string }>(`select t::text as text from only ${name} t`);
    for (const { text } of rows) parts.push(`${name} ${text}`);
  }
  return parts.join("\n");
}

async function allFiles(): Promise<string> {
  const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== DEMO_FILE);
  const parts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
  return parts.join("\n");
}

/** A secret of fewer bytes may occur somewhere by chance. */
const BYTES_MIN = 8;

/** Every form in which a text may have been kept: itself, its bytes, and the bytes that it stands for. */
function formsOf(secret: string): string[] {
  const decoded = [
    Buffer.from(secret.replace(/^(?:whsec|pi_test|pi_live)_/, ""), "base64url"),
    ...(/^[A-Z2-7]+$/.test(secret) ? [bytesOf(secret)] : []),
  ]
    .filter(({ length }) => length >= BYTES_MIN)
    .flatMap((bytes) => [bytes.toString("hex"), bytes.toString("latin1")]);
  return [secret, Buffer.from(secret).toString("hex"), ...decoded];
}

describe("SVC-20: secrets are shown once", () => {
  it("SVC-20: no log line, span, metric, row or file has one, in whatever form", ONE_NODE, async () => {
    const known = await makeSecrets();
    await refuse(known);
    const rows = await allRows();
    const metrics = await (await fetch(service.metricsUrl)).text();
    assert.equal(await service.stop(), 0);
    const places = new Map([
      ["the log", service.log()],
      ["the traces", collector.text()],
      ["the metrics", metrics],
      ["the tables", rows],
      ["the files", await allFiles()],
    ]);
    // Each place must hold a text that belongs there. This proves that the search looks into it.
    for (const [place, mark] of [
      ["the log", '"msg":"stopping"'],
      ["the traces", "/v1/auth/login"],
      ["the metrics", "/v1/auth/login"],
      ["the tables", known.email],
      ["the files", "demo_merchant"],
    ] as const)
      assert.ok(places.get(place)?.includes(mark), `${place} has ${mark}`);
    const found = Array.from(secrets, ([name, secret]) =>
      Array.from(places)
        .filter(([, text]) => formsOf(secret).some((form) => text.includes(form)))
        .map(([place]) => `${name} is in ${place}`),
    ).flat();
    assert.deepEqual(found, []);
  });
});
