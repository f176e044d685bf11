import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Route } from "../../../src/path/front/route.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { ROLES, SCOPES, type Role, type Scope } from "../../../src/domain/vocabulary/vocabulary.js";
import {
  bearer,
  freshSession,
  join,
  login,
  personOf,
  register,
  type Person,
} from "../../support/people/accounts.js";
import { composedRoutes } from "../../support/service/composed-routes.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, newId, revokeKey, setWorkspaceStatus } from "../../support/people/tenants.js";

/**
 * What an endpoint requires of its caller, by AUTH-12 to AUTH-14 and by the roles in docs/contract. The test states it
 * a second time.
 */
type Access = "public" | { scope: Scope } | { roles: readonly Role[] } | "platform";

interface Row {
  access: Access;
  /** The path with its `:parameters` filled in. */
  path?: string;
  body?: unknown;
  /** The status for a permitted request that changes nothing. */
  status: number;
}

const EDITORS = ["owner", "admin", "developer"] as const;
const LEADERS = ["owner", "admin"] as const;
const NOBODY = "01jd4wqk2m0000000000000000";

const ROWS: Readonly<Record<string, Row>> = {
  "GET /health": { access: "public", status: 200 },
  "GET /ready": { access: "public", status: 200 },
  // SVC-15: the root sends a browser to the dashboard, and answers 404 to this request.
  "GET /": { access: "public", status: 404 },
  "GET /dashboard": { access: "public", status: 200 },
  "GET /dashboard/*": { access: "public", path: "/dashboard/sign-in", status: 200 },
  "GET /openapi.json": { access: "public", status: 200 },
  "GET /v1/retry-rules": { access: "public", status: 200 },
  "GET /v1/policy-templates": { access: "public", status: 200 },
  "GET /docs": { access: "public", status: 200 },
  "GET /docs/:build/:file": { access: "public", path: "/docs/none/none.js", status: 404 },
  "POST /v1/decision": { access: { scope: "decision:write" }, body: {}, status: 400 },
  "POST /v1/outcomes": { access: { scope: "outcome:write" }, body: {}, status: 400 },
  "GET /v1/provider-health": { access: { scope: "health:read" }, status: 200 },
  "GET /v1/decisions": { access: { scope: "policy:read" }, status: 200 },
  "GET /v1/decisions/aggregate": { access: { scope: "policy:read" }, status: 200 },
  "GET /v1/decisions/shadow-report": { access: { scope: "policy:read" }, status: 200 },
  "GET /v1/decisions/:decisionId": {
    access: { scope: "policy:read" },
    path: `/v1/decisions/dec_${NOBODY}`,
    status: 404,
  },
  "POST /v1/decisions/:decisionId/review": {
    access: { roles: ["owner", "admin", "analyst"] },
    path: `/v1/decisions/dec_${NOBODY}/review`,
    body: { resolution: "approve" },
    status: 404,
  },
  "POST /v1/decisions/reviews": {
    access: { roles: ["owner", "admin", "analyst"] },
    body: { decision_ids: [`dec_${NOBODY}`], resolution: "approve" },
    status: 200,
  },
  "POST /v1/policies": { access: { scope: "policy:write" }, body: {}, status: 400 },
  "POST /v1/policies/translate": { access: { scope: "policy:write" }, body: {}, status: 400 },
  "POST /v1/policies/:policyId/publish": {
    access: { scope: "policy:write" },
    path: `/v1/policies/pol_${NOBODY}/publish`,
    status: 404,
  },
  "POST /v1/policies/simulate": { access: { scope: "policy:read" }, body: {}, status: 400 },
  "POST /v1/policies/backtest": { access: { scope: "policy:read" }, body: {}, status: 400 },
  "POST /v1/decisions/:decisionId/replay": {
    access: { scope: "policy:read" },
    path: `/v1/decisions/dec_${NOBODY}/replay`,
    status: 404,
  },
  "GET /v1/policies/:merchantId": {
    access: { scope: "policy:read" },
    path: "/v1/policies/demo_merchant",
    status: 200,
  },
  "POST /v1/pricing/rules": { access: { scope: "policy:write" }, body: {}, status: 400 },
  "GET /v1/pricing/rules/:merchantId": {
    access: { scope: "policy:read" },
    path: "/v1/pricing/rules/demo_merchant",
    status: 200,
  },
  // The credential is the signature, which this request does not have.
  "POST /v1/provider-webhooks/:providerSlug/:merchantId": {
    access: "public",
    path: "/v1/provider-webhooks/provider_1/demo_merchant",
    body: {},
    status: 401,
  },
  "GET /v1/integrations": { access: { roles: EDITORS }, status: 200 },
  "PUT /v1/integrations/:provider/webhook-secret": {
    access: { roles: EDITORS },
    path: "/v1/integrations/provider_1/webhook-secret",
    body: {},
    status: 400,
  },
  "POST /v1/auth/register": { access: "public", body: {}, status: 400 },
  "POST /v1/auth/login": { access: "public", body: {}, status: 400 },
  "POST /v1/auth/accept-invitation": { access: "public", body: {}, status: 400 },
  "POST /v1/auth/forgot-password": { access: "public", body: {}, status: 400 },
  "POST /v1/auth/email/prove": { access: "public", body: {}, status: 400 },
  "GET /v1/auth/email": { access: { roles: ROLES }, status: 200 },
  "POST /v1/auth/email/send-proof": { access: { roles: ROLES }, status: 409 },
  "POST /v1/auth/reset-password": { access: "public", body: {}, status: 400 },
  // AUTH-24: this service has no identity provider.
  "GET /v1/auth/oidc/start": { access: "public", status: 404 },
  "GET /v1/auth/oidc/callback": { access: "public", status: 404 },
  "POST /v1/auth/oidc/one-time-code": { access: "public", body: {}, status: 404 },
  "POST /v1/auth/logout": { access: { roles: ROLES }, status: 204 },
  "POST /v1/auth/change-password": { access: { roles: ROLES }, body: {}, status: 400 },
  "GET /v1/auth/one-time-codes": { access: { roles: ROLES }, status: 200 },
  "POST /v1/auth/one-time-codes": { access: { roles: ROLES }, body: {}, status: 400 },
  "POST /v1/auth/one-time-codes/confirm": { access: { roles: ROLES }, body: {}, status: 400 },
  "POST /v1/auth/one-time-codes/disable": { access: { roles: ROLES }, body: {}, status: 400 },
  "GET /v1/auth/sessions": { access: { roles: ROLES }, status: 200 },
  // The service refuses this request for its unknown parameter. Without it, the request would end the sessions that
  // other rows use.
  "DELETE /v1/auth/sessions": { access: { roles: ROLES }, path: "/v1/auth/sessions?all=1", status: 400 },
  "DELETE /v1/auth/sessions/:sessionId": {
    access: { roles: ROLES },
    path: `/v1/auth/sessions/ses_${NOBODY}`,
    status: 404,
  },
  "GET /v1/auth/me": { access: { roles: ROLES }, status: 200 },
  "GET /v1/api-keys": { access: { roles: EDITORS }, status: 200 },
  "POST /v1/api-keys": { access: { roles: EDITORS }, body: {}, status: 400 },
  "POST /v1/api-keys/:id/rotate": {
    access: { roles: EDITORS },
    path: `/v1/api-keys/key_${NOBODY}/rotate`,
    body: {},
    status: 404,
  },
  "DELETE /v1/api-keys/:id": { access: { roles: EDITORS }, path: `/v1/api-keys/key_${NOBODY}`, status: 404 },
  "GET /v1/request-log": { access: { roles: EDITORS }, status: 200 },
  "GET /v1/team": { access: { roles: ROLES }, status: 200 },
  "GET /v1/team/invitations": { access: { roles: ROLES }, status: 200 },
  "POST /v1/team/invitations": { access: { roles: LEADERS }, body: {}, status: 400 },
  "PATCH /v1/team/:userId": {
    access: { roles: LEADERS },
    path: `/v1/team/usr_${NOBODY}`,
    body: { role: "analyst" },
    status: 404,
  },
  "DELETE /v1/team/:userId": { access: { roles: LEADERS }, path: `/v1/team/usr_${NOBODY}`, status: 404 },
  "POST /v1/team/:userId/reset-password": {
    access: { roles: LEADERS },
    path: `/v1/team/usr_${NOBODY}/reset-password`,
    status: 404,
  },
  "POST /v1/team/:userId/reset-one-time-codes": {
    access: { roles: LEADERS },
    path: `/v1/team/usr_${NOBODY}/reset-one-time-codes`,
    status: 404,
  },
  "GET /v1/analytics/summary": { access: { roles: ROLES }, status: 200 },
  "GET /v1/alerts": { access: { roles: ROLES }, status: 200 },
  "POST /v1/alerts/:alertId/acknowledge": {
    access: { roles: ["owner", "admin", "analyst"] },
    path: `/v1/alerts/alr_${NOBODY}/acknowledge`,
    status: 404,
  },
  "GET /v1/event-endpoints": { access: { roles: EDITORS }, status: 200 },
  "POST /v1/event-endpoints": { access: { roles: EDITORS }, body: {}, status: 400 },
  "GET /v1/event-endpoints/:id": {
    access: { roles: EDITORS },
    path: `/v1/event-endpoints/ep_${NOBODY}`,
    status: 404,
  },
  "PATCH /v1/event-endpoints/:id": {
    access: { roles: EDITORS },
    path: `/v1/event-endpoints/ep_${NOBODY}`,
    body: {},
    status: 404,
  },
  "DELETE /v1/event-endpoints/:id": {
    access: { roles: EDITORS },
    path: `/v1/event-endpoints/ep_${NOBODY}`,
    status: 404,
  },
  "POST /v1/event-endpoints/:id/test": {
    access: { roles: EDITORS },
    path: `/v1/event-endpoints/ep_${NOBODY}/test`,
    status: 404,
  },
  "GET /v1/event-endpoints/:id/deliveries": {
    access: { roles: EDITORS },
    path: `/v1/event-endpoints/ep_${NOBODY}/deliveries`,
    status: 404,
  },
  "POST /v1/event-endpoints/:id/deliveries/:deliveryId/redeliver": {
    access: { roles: EDITORS },
    path: `/v1/event-endpoints/ep_${NOBODY}/deliveries/dlv_${NOBODY}/redeliver`,
    status: 404,
  },
  "GET /v1/saved-views": { access: { roles: ROLES }, status: 200 },
  "POST /v1/saved-views": { access: { roles: ROLES }, body: {}, status: 400 },
  "PATCH /v1/saved-views/:id": {
    access: { roles: ROLES },
    path: `/v1/saved-views/svw_${NOBODY}`,
    body: {},
    status: 404,
  },
  "DELETE /v1/saved-views/:id": {
    access: { roles: ROLES },
    path: `/v1/saved-views/svw_${NOBODY}`,
    status: 404,
  },
  "GET /v1/exports": { access: { roles: ROLES }, status: 200 },
  "POST /v1/exports": { access: { roles: ROLES }, body: {}, status: 400 },
  "GET /v1/exports/:id": { access: { roles: ROLES }, path: `/v1/exports/xpt_${NOBODY}`, status: 404 },
  "DELETE /v1/exports/:id": { access: { roles: ROLES }, path: `/v1/exports/xpt_${NOBODY}`, status: 404 },
  "GET /v1/exports/:id/file": {
    access: { roles: ROLES },
    path: `/v1/exports/xpt_${NOBODY}/file`,
    status: 404,
  },
  "GET /v1/admin/workspace": { access: { roles: ROLES }, status: 200 },
  "PATCH /v1/admin/workspace": { access: { roles: LEADERS }, body: { status: "active" }, status: 400 },
  "GET /v1/admin/merchants": { access: { roles: ROLES }, status: 200 },
  "POST /v1/admin/merchants": { access: { roles: EDITORS }, body: {}, status: 400 },
  "GET /v1/admin/audit-log": { access: { roles: LEADERS }, status: 200 },
  "GET /v1/admin/usage": { access: { roles: LEADERS }, status: 200 },
  "PUT /v1/admin/provider-overrides/:provider": {
    access: { roles: LEADERS },
    path: "/v1/admin/provider-overrides/provider_1",
    body: {},
    status: 400,
  },
  "GET /v1/admin/provider-overrides/history": { access: { roles: LEADERS }, status: 200 },
  "GET /v1/admin/workspaces": { access: "platform", status: 200 },
  "POST /v1/admin/accounts/release": { access: "platform", body: {}, status: 400 },
  "GET /v1/admin/erasures": { access: "platform", status: 200 },
  "POST /v1/admin/erasures": { access: "platform", body: {}, status: 400 },
  "GET /v1/admin/erasures/:id": {
    access: "platform",
    path: `/v1/admin/erasures/ers_${NOBODY}`,
    status: 404,
  },
  "GET /v1/admin/set-aside": { access: "platform", status: 200 },
  "GET /v1/admin/set-aside/:id": {
    access: "platform",
    path: `/v1/admin/set-aside/sas_${NOBODY}`,
    status: 404,
  },
  "POST /v1/admin/set-aside/:id/retry": {
    access: "platform",
    path: `/v1/admin/set-aside/sas_${NOBODY}/retry`,
    status: 404,
  },
  "POST /v1/admin/set-aside/:id/discard": {
    access: "platform",
    path: `/v1/admin/set-aside/sas_${NOBODY}/discard`,
    body: { reason: "Never stored" },
    status: 404,
  },
  "POST /v1/admin/workspaces/:id/suspend": {
    access: "platform",
    path: `/v1/admin/workspaces/ws_${NOBODY}/suspend`,
    status: 404,
  },
  "POST /v1/admin/workspaces/:id/activate": {
    access: "platform",
    path: `/v1/admin/workspaces/ws_${NOBODY}/activate`,
    status: 404,
  },
};

/** AUTH-13: the scopes of each role's session. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ["health:read", "policy:read", "policy:write"],
  admin: ["health:read", "policy:read", "policy:write"],
  developer: ["health:read", "policy:read", "policy:write"],
  analyst: ["health:read", "policy:read"],
};

const unauthorized = (message: string) => ({ statusCode: 401, message, error: "Unauthorized" });
const forbidden = (message: string) => ({ statusCode: 403, message, error: "Forbidden" });
const INVALID_KEY = unauthorized("Invalid API key");
const INVALID_SESSION = unauthorized("Invalid or expired session");
const INACTIVE = forbidden("Tenant is not active");
const WRONG_ROLE = forbidden("Your role does not allow this");
const NEEDS_SESSION = forbidden("A dashboard session is required");

const HOUR_MS = 3_600_000;
const PLATFORM = { PLATFORM_ADMIN_EMAIL: "root@pay.example", PLATFORM_ADMIN_PASSWORD: "platform password" };

let service: RunningService;
/** AUTH-35: the operations that stay open to a member who must turn on one-time codes. */
const OPEN_BEFORE_CODES: ReadonlySet<string> = new Set([
  "GET /v1/auth/me",
  "POST /v1/auth/logout",
  "GET /v1/auth/one-time-codes",
  "POST /v1/auth/one-time-codes",
  "POST /v1/auth/one-time-codes/confirm",
]);
const MUST_ENROL = {
  ...forbidden("Turn one-time codes on first: this workspace requires them"),
  code: "must_enrol_codes",
};

let composed: readonly Route[];
let people: Record<Role | "platform" | "stranger" | "suspended" | "expired" | "uncoded", Person>;
let keys: Record<Scope | "all" | "stranger" | "otherMerchant" | "expired" | "revoked" | "suspended", string>;

before(async () => {
  composed = await composedRoutes();
  service = await startTestService({
    ...PLATFORM,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    TRUST_PROXY_HOPS: "1",
  });
  const owner = await register(service);
  const [stranger, suspended, uncoded, admin, developer, analyst, expired] = await Promise.all([
    register(service),
    register(service),
    register(service),
    join(service, owner, "admin"),
    join(service, owner, "developer"),
    join(service, owner, "analyst"),
    join(service, owner, "admin"),
  ]);
  const platform = personOf(
    await login(service, PLATFORM.PLATFORM_ADMIN_EMAIL, PLATFORM.PLATFORM_ADMIN_PASSWORD),
  );
  people = { owner, admin, developer, analyst, platform, stranger, suspended, expired, uncoded };
  const { pool } = service;
  await pool.query("update workspaces set require_one_time_codes = true where workspace_id = $1", [
    idToHex(uncoded.workspaceId),
  ]);
  const key = (workspaceId: string, options = {}) => createKey(pool, workspaceId, options);
  const own = owner.workspaceId;
  await pool.query(
    `insert into merchants (workspace_id, merchant_id)
     select workspace_id, merchant_id from workspaces, unnest(array['demo_merchant', 'other']) as merchant_id
     on conflict do nothing`,
  );
  keys = {
    ...(Object.fromEntries(
      await Promise.all(SCOPES.map(async (scope) => [scope, await key(own, { scopes: [scope] })] as const)),
    ) as Record<Scope, string>),
    all: await key(own),
    stranger: await key(stranger.workspaceId),
    otherMerchant: await key(own, { merchantId: "other" }),
    expired: await key(own, { expiresAt: new Date(Date.now() - 1000) }),
    revoked: await key(own),
    suspended: await key(suspended.workspaceId),
  };
  await revokeKey(pool, keys.revoked);
  await setWorkspaceStatus(pool, suspended.workspaceId, "suspended");
});

interface Credential {
  headers: Readonly<Record<string, string>>;
  /** The body of the refusal. Null if the request is permitted. */
  refusal: object | null;
}

const byKey = (key: string) => ({ "x-api-key": key });

/** The refusal that a valid key gets. Null if the request is permitted. */
function keyRefusal(access: Access, scopes: readonly Scope[]): object | null {
  if (access === "platform" || (typeof access === "object" && "roles" in access)) return NEEDS_SESSION;
  if (access === "public" || scopes.includes(access.scope)) return null;
  return forbidden(`API key is missing scopes: ${access.scope}`);
}

function roleRefusal(access: Access, role: Role, isPlatform = false): object | null {
  if (access === "public") return null;
  if (access === "platform") return isPlatform ? null : WRONG_ROLE;
  if ("roles" in access) return access.roles.includes(role) ? null : WRONG_ROLE;
  if (SCOPES_OF[role].includes(access.scope)) return null;
  return forbidden(`Session is missing scopes: ${access.scope}`);
}

let sources = 0;

async function credentialsFor(endpoint: string, access: Access): Promise<Record<string, Credential>> {
  const isGet = endpoint.startsWith("GET ");
  const gated = (refusal: object): object | null => (access === "public" ? null : refusal);
  // Each request gets a fresh session, because a logout ends the requesting session.
  const session = async (person: Person, nowMs?: number) =>
    bearer((await freshSession(service, person, nowMs)).token);
  const ended = await session(people.analyst);
  assert.equal((await send(service, "POST", "/v1/auth/logout", { key: null, headers: ended })).status, 204);
  const { token: cookieToken } = await freshSession(service, people.owner);
  const cookie = { cookie: `theme=dark; payinference_session=${cookieToken}` };
  // A logout by cookie ends the cookie's session, so the next credentials have another one.
  const { token: secondToken } = await freshSession(service, people.owner);
  const bySession = await session(people.owner);
  // RATE-9: one source may not present so many wrong keys, so each request has its own source.
  const source = { "x-forwarded-for": `192.0.2.${++sources}` };
  const wrongKey = keys.all.slice(0, -1) + (keys.all.endsWith("0") ? "1" : "0");
  return {
    none: {
      headers: {},
      refusal: gated(unauthorized("Provide an x-api-key header or a session token")),
    },
    "a wrong key": { headers: { ...byKey(wrongKey), ...source }, refusal: gated(INVALID_KEY) },
    "no key at all": { headers: { ...byKey("x"), ...source }, refusal: gated(INVALID_KEY) },
    "an expired key": { headers: byKey(keys.expired), refusal: gated(INVALID_KEY) },
    "a revoked key": { headers: byKey(keys.revoked), refusal: gated(INVALID_KEY) },
    "a suspended workspace's key": { headers: byKey(keys.suspended), refusal: gated(INACTIVE) },
    "another workspace's key": { headers: byKey(keys.stranger), refusal: keyRefusal(access, SCOPES) },
    ...Object.fromEntries(
      SCOPES.map((scope): [string, Credential] => [
        `a key for ${scope} alone`,
        { headers: byKey(keys[scope]), refusal: keyRefusal(access, [scope]) },
      ]),
    ),
    "a wrong session": { headers: bearer("A".repeat(43)), refusal: gated(INVALID_SESSION) },
    "no session at all": { headers: bearer("x"), refusal: gated(INVALID_SESSION) },
    "a session of 7 days": {
      headers: await session(people.expired, Date.now() - 7 * 24 * HOUR_MS),
      refusal: gated(INVALID_SESSION),
    },
    "a session unused for 12 hours": {
      headers: await session(people.expired, Date.now() - 12 * HOUR_MS),
      refusal: gated(INVALID_SESSION),
    },
    "a session that was ended": { headers: ended, refusal: gated(INVALID_SESSION) },
    "a suspended workspace's session": {
      headers: await session(people.suspended),
      refusal: gated(INACTIVE),
    },
    "the session of an owner who must enrol one-time codes": {
      headers: await session(people.uncoded),
      refusal: OPEN_BEFORE_CODES.has(endpoint) ? null : gated(MUST_ENROL),
    },
    "another workspace's session": {
      headers: await session(people.stranger),
      refusal: roleRefusal(access, "owner"),
    },
    "the platform admin's session": {
      headers: await session(people.platform),
      refusal: roleRefusal(access, "owner", true),
    },
    ...Object.fromEntries(
      await Promise.all(
        ROLES.map(async (role): Promise<[string, Credential]> => [
          `a session as ${role}`,
          { headers: await session(people[role]), refusal: roleRefusal(access, role) },
        ]),
      ),
    ),
    "an owner's cookie from elsewhere": {
      headers: { ...cookie, "sec-fetch-site": "cross-site" },
      refusal: isGet
        ? roleRefusal(access, "owner")
        : gated(forbidden("Cross-origin requests are not allowed")),
    },
    "an owner's cookie from its own origin, written in another way": {
      headers: {
        cookie: `payinference_session=${secondToken}`,
        origin: service.url.replace("http:", "HTTP:"),
      },
      refusal: roleRefusal(access, "owner"),
    },
    "an owner's cookie from its own origin": {
      headers: { ...cookie, "sec-fetch-site": "same-origin" },
      refusal: roleRefusal(access, "owner"),
    },
    "a key beside an owner's session": {
      headers: { ...byKey(keys["health:read"]), ...bySession },
      refusal: keyRefusal(access, ["health:read"]),
    },
  };
}

describe("AUTH-2, AUTH-4, AUTH-11, AUTH-12, AUTH-13, AUTH-14, KEY-7, SIM-1, TRANS-1, AUTH-35: every endpoint with every credential", () => {
  it("has a row for every route of the service, and no other", () => {
    const routes = composed.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(routes.toSorted(), Object.keys(ROWS).toSorted());
  });

  for (const [endpoint, { access, path, body, status }] of Object.entries(ROWS)) {
    it(endpoint, async () => {
      const [method = "", pattern = ""] = endpoint.split(" ");
      for (const [name, { headers, refusal }] of Object.entries(await credentialsFor(endpoint, access))) {
        // No row expects a 503, but a starved host may answer one of the many requests with it.
        const reply = await sendRead(service, method, path ?? pattern, { body, headers, key: null });
        if (refusal === null) assert.equal(reply.status, status, `${name}: ${reply.text}`);
        else {
          assert.deepEqual(reply.json, refusal, name);
          assert.equal(reply.status, reply.json["statusCode"], name);
        }
      }
    });
  }
});

describe("GET /v1/auth/me identifies the platform admin, and nobody else", () => {
  it("answers platform_admin, the field that the /v1/admin/workspaces endpoints check", async () => {
    for (const [name, { token }] of Object.entries(people)) {
      const headers = bearer(token);
      const me = await send(service, "GET", "/v1/auth/me", { key: null, headers });
      const list = await send(service, "GET", "/v1/admin/workspaces", { key: null, headers });
      assert.equal(me.json["platform_admin"], list.status === 200 ? true : undefined, name);
    }
  });
});

describe("AUTH-9: a key may be scoped to a single merchant; another merchant_id yields 403", () => {
  const OTHER = forbidden("API key is scoped to a different merchant");
  const cases: [method: string, path: string, body: unknown][] = [
    ["POST", "/v1/decision", decisionBody()],
    ["POST", "/v1/policies", { merchant_id: "demo_merchant", name: "x", rules: [] }],
    ["GET", "/v1/policies/demo_merchant", undefined],
    ["GET", "/v1/pricing/rules/demo_merchant", undefined],
  ];
  for (const [method, path, body] of cases) {
    it(`${method} ${path}`, async () => {
      const reply = await send(service, method, path, { body, key: keys.otherMerchant });
      assert.deepEqual([reply.status, reply.json], [403, OTHER]);
    });
  }

  it("POST /v1/outcomes; to GET /v1/decisions/:decisionId the decision is unknown", async () => {
    const decided = await send(service, "POST", "/v1/decision", { body: decisionBody(), key: keys.all });
    assert.equal(decided.status, 200, decided.text);
    const decisionId = String(decided.json["decision_id"]);
    const body = {
      decision_id: decisionId,
      order_id: "order_1",
      provider_used: "provider_1",
      outcome: "approved",
      provider_latency_ms: 1,
      amount: 1,
      currency: "USD",
    };
    const reported = await send(service, "POST", "/v1/outcomes", { body, key: keys.otherMerchant });
    assert.deepEqual([reported.status, reported.json], [403, OTHER]);
    const read = await sendRead(service, "GET", `/v1/decisions/${decisionId}`, { key: keys.otherMerchant });
    const unknown = await sendRead(service, "GET", `/v1/decisions/${newId("dec")}`, { key: keys.all });
    assert.deepEqual([read.status, read.text], [404, unknown.text]);
  });
});

describe("ERR-17: another workspace's records look unknown, to a session too", () => {
  it("a key, a member, a policy, a merchant", async () => {
    const { stranger, owner } = people;
    const { json } = await send(service, "GET", "/v1/api-keys", { key: null, headers: bearer(owner.token) });
    const [own] = json["api_keys"] as { id: string }[];
    const cases: [method: string, foreign: string, unknown: string, body?: unknown][] = [
      ["DELETE", `/v1/api-keys/${own?.id}`, `/v1/api-keys/${newId("key")}`],
      ["POST", `/v1/api-keys/${own?.id}/rotate`, `/v1/api-keys/${newId("key")}/rotate`, {}],
      ["DELETE", `/v1/team/${people.admin.userId}`, `/v1/team/${newId("usr")}`],
      ["POST", `/v1/team/${people.admin.userId}/reset-password`, `/v1/team/${newId("usr")}/reset-password`],
      [
        "POST",
        `/v1/team/${people.admin.userId}/reset-one-time-codes`,
        `/v1/team/${newId("usr")}/reset-one-time-codes`,
      ],
      ["PATCH", `/v1/team/${people.admin.userId}`, `/v1/team/${newId("usr")}`, { role: "analyst" }],
    ];
    for (const [method, foreign, unknown, body] of cases) {
      const [one, other] = await Promise.all(
        [foreign, unknown].map((path) =>
          send(service, method, path, { body, key: null, headers: bearer(stranger.token) }),
        ),
      );
      assert.deepEqual([one?.status, one?.text], [404, other?.text], `${method} ${foreign}`);
    }
    const after = await send(service, "GET", "/v1/auth/me", {
      key: null,
      headers: bearer(people.admin.token),
    });
    assert.equal(after.status, 200);
  });
});

describe("a session reads mode=live unless the query says mode=test", () => {
  it("AUTH-15: the list and the detail accept mode, and refuse an unknown one with 400", async () => {
    const { owner } = people;
    const decided = await send(service, "POST", "/v1/decision", { body: decisionBody(), key: keys.all });
    const id = String(decided.json["decision_id"]);
    const get = (path: string) => sendRead(service, "GET", path, { key: null, headers: bearer(owner.token) });
    await eventually(async () => assert.equal((await get(`/v1/decisions/${id}?mode=test`)).status, 200));
    assert.equal((await get(`/v1/decisions/${id}`)).status, 404);
    assert.equal((await get(`/v1/decisions/${id}?mode=live`)).status, 404);
    assert.equal((await get("/v1/decisions")).json["total"], 0);
    assert.ok(Number((await get("/v1/decisions?mode=test")).json["total"]) > 0);
    const { status, json } = await get("/v1/decisions?mode=both");
    assert.deepEqual(
      [status, json],
      [
        400,
        {
          error: "validation_error",
          issues: [{ path: "query.mode", code: "invalid_enum_value", message: "Must be one of test, live" }],
        },
      ],
    );
  });

  it("a policy that a session writes names the user in the audit trail", async () => {
    const { owner } = people;
    const body = { merchant_id: "demo_merchant", name: "By hand", rules: [] };
    const made = await send(service, "POST", "/v1/policies", {
      body,
      key: null,
      headers: bearer(owner.token),
    });
    assert.equal(made.status, 200, made.text);
    const { rows } = await service.pool.query<{ actor: string }>(
      "select actor from audit_log where resource = $1",
      [(made.json["policy"] as { policy_id: string }).policy_id],
    );
    assert.deepEqual(rows, [{ actor: owner.userId }]);
  });
});
