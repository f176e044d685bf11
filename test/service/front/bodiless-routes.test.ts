import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { isScopedRoute, type ScopedRoute, type SessionRoute } from "../../../src/path/front/route.js";
import { bearer, freshSession, register, type Person } from "../../support/people/accounts.js";
import { createKey } from "../../support/people/tenants.js";
import { composedRoutes } from "../../support/service/composed-routes.js";
import { send, type Reply, type RunningService } from "../../support/service/service.js";
import { platformAdmin, sharedTestService } from "../../support/service/shared-service.js";

const SMALL = 16 * 1024;
const CARD = "4111111111111111";
const RULE = { name: "hold", when: {}, then: { type: "hold" } };

type Bodiless = ScopedRoute | SessionRoute;

let service: RunningService;
let routes: Bodiless[];
let owner: Person;
let admin: Person;
let key: string;

before(async () => {
  const composed = await composedRoutes();
  routes = composed.filter(
    (route): route is Bodiless =>
      route.method !== "GET" && "bodyBytesMax" in route && route.bodyBytesMax === null,
  );
  service = await sharedTestService();
  owner = await register(service);
  admin = await platformAdmin(service);
  key = await createKey(service.pool, owner.workspaceId);
});

interface Sent {
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Asks the route for what does not exist. Each request has a session of its own, because a sign-out ends it. */
async function bySession({ method, path, access }: Bodiless, { body, headers = {} }: Sent): Promise<Reply> {
  const { token } = await freshSession(service, "platformAdmin" in access ? admin : owner);
  return send(service, method, path.replaceAll(/:\w+/g, "none"), {
    body,
    key: null,
    headers: { ...bearer(token), ...headers },
  });
}

function byKey({ method, path }: Bodiless, { body, headers = {} }: Sent): Promise<Reply> {
  return send(service, method, path.replaceAll(/:\w+/g, "none"), { body, key, headers });
}

/** Every route without a body, by each kind of credentials that it takes. */
function callers(): [name: string, ask: (sent: Sent) => Promise<Reply>][] {
  return routes.flatMap((route) => {
    const name = `${route.method} ${route.path}`;
    const session = [`${name} by session`, (sent: Sent) => bySession(route, sent)] as const;
    if (!isScopedRoute(route)) return [[...session]];
    return [[...session], [`${name} by key`, (sent: Sent) => byKey(route, sent)]];
  });
}

const issue = (path: string, code: string, message: string) => ({ path, code, message });
const unknown = (path: string) => issue(path, "unrecognized_keys", "Unrecognized key");
const NOT_AN_OBJECT = [issue("", "invalid_type", "Expected object")];
const NO_JSON = [issue("", "invalid_json", "The body is not valid JSON")];

const REFUSED: readonly [body: string, issues: object[]][] = [
  ['{"foo":1}', [unknown("foo")]],
  [`{"foo":{"bar":"${CARD}"},"${CARD}":2}`, [unknown("foo"), unknown("[redacted]")]],
  ["[]", NOT_AN_OBJECT],
  ["null", NOT_AN_OBJECT],
  ["{", NO_JSON],
  [" ", NO_JSON],
];

describe("ERR-20: a route that changes something and takes no body", () => {
  it("ERR-20: takes none and an empty object alike, on every such route", async () => {
    assert.ok(routes.length > 15, `only ${routes.length} routes`);
    for (const [name, ask] of callers()) {
      const plain = await ask({});
      assert.ok([200, 204, 404, 409].includes(plain.status), `${name}: ${plain.status} ${plain.text}`);
      for (const body of ["{}", " {\n} "]) {
        const { status, text } = await ask({ body });
        assert.equal(status, plain.status, `${name} ${body}: ${text}`);
      }
      // No bytes need no content type.
      const typed = await ask({ headers: { "content-type": "text/plain" } });
      assert.equal(typed.status, plain.status, `${name}: ${typed.text}`);
    }
  });

  it("ERR-20, HTTP-7: refuses every other body before the resource is looked for", async () => {
    for (const [name, ask] of callers()) {
      for (const [body, issues] of REFUSED) {
        const { status, json, text } = await ask({ body });
        assert.deepEqual([status, json], [400, { error: "validation_error", issues }], `${name} ${body}`);
        assert.ok(!text.includes(CARD));
      }
    }
  });

  it("ERR-20, HTTP-16, HTTP-17: refuses another content type and a large body", async () => {
    for (const [name, ask] of callers()) {
      const typed = await ask({ body: "{}", headers: { "content-type": "text/plain" } });
      assert.equal(typed.status, 415, `${name}: ${typed.text}`);
      const charset = { "content-type": "application/json; charset=utf-16" };
      assert.equal((await ask({ body: "{}", headers: charset })).status, 415, name);
      assert.notEqual((await ask({ body: "{}".padEnd(SMALL) })).status, 413, name);
      const large = await ask({ body: "{}".padEnd(SMALL + 1) });
      assert.equal(large.status, 413, `${name}: ${large.text}`);
    }
  });

  it("HTTP-2, HTTP-3: refuses the caller first", async () => {
    const path = "/v1/policies/none/publish";
    assert.equal((await send(service, "POST", path, { body: "{", key: null })).status, 401);
    const reader = await createKey(service.pool, owner.workspaceId, { scopes: ["policy:read"] });
    assert.equal((await send(service, "POST", path, { body: "{", key: reader })).status, 403);
  });

  it("ERR-20, IDEM-10: a publication with a body that is refused publishes nothing", async () => {
    const { token } = await freshSession(service, owner);
    const draft = { merchant_id: "demo_merchant", name: "P", rules: [RULE] };
    const created = await send(service, "POST", "/v1/policies", { body: draft, key });
    assert.equal(created.status, 200, created.text);
    const path = `/v1/policies/${(created.json["policy"] as { policy_id: string }).policy_id}/publish`;
    const statusOf = async () => {
      const { json } = await send(service, "GET", "/v1/policies/demo_merchant", { key });
      return (json["policies"] as { status: string }[]).map(({ status }) => status);
    };
    assert.equal((await send(service, "POST", path, { body: { foo: 1 }, key })).status, 400);
    assert.deepEqual(await statusOf(), ["draft"]);

    const headers = { ...bearer(token), "idempotency-key": "publish once" };
    const published = await send(service, "POST", path, { body: {}, key: null, headers });
    assert.equal(published.status, 200, published.text);
    assert.deepEqual(await statusOf(), ["published"]);
    // No body and an empty object are the same request.
    const again = await send(service, "POST", path, { key: null, headers });
    assert.deepEqual([again.status, again.text], [200, published.text]);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.headers.get("idempotency-body-mismatch"), null);
  });
});
