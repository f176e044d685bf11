import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, it } from "node:test";
import { bearer, newEmail, PASSWORD } from "../support/people/accounts.js";
import { startCells, type AtEdge, type Cells } from "../support/edge/cells.js";
import { edgeSkip } from "../support/edge/edge-proxy.js";
import { NO_VALKEY } from "../support/edge/valkey.js";
import { decisionBody, eventually } from "../support/service/service.js";

const skip = edgeSkip === false ? NO_VALKEY : edgeSkip;
const HOSTS = { a: "pay.example", b: "b.pay.example" } as const;
type CellOf = keyof typeof HOSTS;

let cells: Cells;
before(async () => {
  if (skip !== false) return;
  cells = await startCells({ AUTH_RATE_LIMIT_PER_MINUTE: "0", REGISTRATION: "open" });
});

const post = (path: string, request: AtEdge) => cells.send("POST", path, request);

/** Signs up at the cell's host, and resolves to the session's token. */
async function signUp(cell: CellOf): Promise<{ token: string; email: string }> {
  const email = newEmail();
  const { json } = await post("/v1/auth/register", {
    body: { email, password: PASSWORD, workspace_name: "Shop", merchant_id: "demo_merchant" },
    host: HOSTS[cell],
  });
  return { token: (json["session"] as { token: string }).token, email };
}

interface MadeKey {
  secret: string;
  prefix: string;
  id: string;
}

async function newKey(token: string): Promise<MadeKey> {
  const { json } = await post("/v1/api-keys", {
    body: { name: "backend", mode: "test", scopes: ["decision:write"] },
    headers: bearer(token),
  });
  const { prefix, id } = json["api_key"] as { prefix: string; id: string };
  return { secret: String(json["secret"]), prefix, id };
}

const decide = async (key: string, host?: string): Promise<number> =>
  (await post("/v1/decision", { body: decisionBody(), headers: { "x-api-key": key }, ...(host && { host }) }))
    .status;

/** The status of a read with the session. It is 200 only in the cell that knows the session. */
const me = async (token: string, more: AtEdge = {}): Promise<number> =>
  (await cells.send("GET", "/v1/auth/me", { ...more, headers: { ...bearer(token), ...more.headers } }))
    .status;

describe("two cells behind one edge", { skip }, () => {
  for (const cell of ["a", "b"] as const) {
    it(`CELL-1, CELL-3: what cell ${cell} issues names it, and works at any host`, async () => {
      const { token } = await signUp(cell);
      assert.match(token, new RegExp(`^${cell}\\.[\\w-]{43}$`));
      for (const host of Object.values(HOSTS)) assert.equal(await me(token, { host }), 200, host);
      const cookie = { cookie: `other=1; payinference_session=${token}` };
      assert.equal((await cells.send("GET", "/v1/auth/me", { headers: cookie })).status, 200);

      const made = await newKey(token);
      assert.match(made.secret, new RegExp(`^pi_test_${cell}_[0-9a-f]{64}$`));
      assert.ok(made.secret.startsWith(made.prefix) && made.prefix.length === `pi_test_${cell}_`.length + 16);
      for (const host of Object.values(HOSTS)) assert.equal(await decide(made.secret, host), 200, host);
      const rotated = await post(`/v1/api-keys/${made.id}/rotate`, { body: {}, headers: bearer(token) });
      assert.match(String(rotated.json["secret"]), new RegExp(`^pi_test_${cell}_`));

      const email = newEmail();
      const invitation = { body: { email, role: "analyst" }, headers: bearer(token) };
      const invited = await post("/v1/team/invitations", invitation);
      assert.match(String(invited.json["token"]), new RegExp(`^${cell}\\.`));
      // The cell in the body's token wins over the cell in the session cookie.
      const { token: elsewhere } = await signUp(cell === "a" ? "b" : "a");
      const accepted = await post("/v1/auth/accept-invitation", {
        body: { token: invited.json["token"], name: "Member", password: PASSWORD },
        headers: { cookie: `payinference_session=${elsewhere}` },
      });
      assert.equal(accepted.status, 201, accepted.body);
      const { user_id: member } = accepted.json["user"] as { user_id: string };
      const reset = await post(`/v1/team/${member}/reset-password`, { headers: bearer(token) });
      assert.match(String(reset.json["token"]), new RegExp(`^${cell}\\.`));
      const used = { body: { token: reset.json["token"], new_password: `${PASSWORD}!` } };
      assert.equal((await post("/v1/auth/reset-password", used)).status, 204);
    });
  }

  it("CELL-2: a node refuses what another cell issued, as unknown", async () => {
    const { token } = await signUp("b");
    const { secret } = await newKey(token);
    const asked = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(cells.a.url + path, { headers });
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    assert.deepEqual(await asked("/v1/provider-health", { "x-api-key": secret }), [401, "Invalid API key"]);
    assert.deepEqual(
      await asked("/v1/auth/me", bearer(token)),
      await asked("/v1/auth/me", bearer(`a.${token.slice(2)}`)),
    );
    // The renamed key goes to cell a, which does not know it.
    assert.equal(await decide(secret.replace("_b_", "_a_")), 401);
  });

  it("CELL-3: what names no cell goes by the first label of the host, and else to the default cell", async () => {
    const { email } = await signUp("b");
    const body = { email, password: PASSWORD };
    const signIn = async (host: string): Promise<number> =>
      (await post("/v1/auth/login", { body, host })).status;
    for (const host of ["b.pay.example", "B.pay.example:8443", "b"])
      assert.equal(await signIn(host), 200, host);
    for (const host of ["pay.example", "a.pay.example", "bb.pay.example", "pay.b.example", "[::1]:8443"])
      assert.equal(await signIn(host), 401, host);
    // A name that no cell has is ignored.
    const stray = { cookie: "payinference_session=zz.token", "x-api-key": "pi_test_zz_1" };
    assert.equal((await post("/v1/auth/login", { body, headers: stray, host: HOSTS.b })).status, 200);
  });

  it("CELL-4: an entry for a key, a session or a workspace wins over its name, without a reload", async () => {
    const [here, there] = await Promise.all([signUp("a"), signUp("b")]);
    const { secret, prefix } = await newKey(here.token);
    const [publicId] = /[0-9a-f]{16}$/.exec(prefix) ?? [""];
    const session = createHash("sha256").update(here.token).digest("hex");

    assert.deepEqual([await decide(secret), await me(here.token)], [200, 200]);
    await cells.say(`add map moved.map ${publicId} b`, `add map moved.map ${session} b`);
    // The entries send the key and the session of cell a to cell b, which knows neither.
    assert.deepEqual([await decide(secret), await me(here.token), await me(there.token)], [401, 401, 200]);
    await cells.say(`del map moved.map ${publicId}`, `del map moved.map ${session}`);
    assert.deepEqual([await decide(secret), await me(here.token)], [200, 200]);

    const workspace = cells.b.workspaceId;
    const webhook = {
      body: { email: there.email, password: PASSWORD },
      headers: { "payinference-workspace": workspace },
    };
    const signIn = async (): Promise<number> => (await post("/v1/auth/login", webhook)).status;
    assert.equal(await signIn(), 401);
    await cells.say(`add map moved.map ${workspace} b`);
    assert.equal(await signIn(), 200);
    await cells.say(`del map moved.map ${workspace}`);
  });

  it("CELL-5: a cell whose node, PostgreSQL and cache are killed takes nothing of the other with it", async () => {
    const [here, there] = await Promise.all([signUp("a"), signUp("b")]);
    const [own, gone] = [await newKey(here.token), await newKey(there.token)];
    await cells.killB();
    const statuses = new Set<number>();
    for (let i = 0; i < 40; i++) {
      statuses.add(await decide(own.secret));
      statuses.add(await me(here.token));
    }
    assert.deepEqual([...statuses], [200]);
    assert.match((await signUp("a")).token, /^a\./);
    await eventually(async () => assert.equal(await decide(gone.secret), 503));
    assert.equal(await decide(own.secret), 200);
  });
});
