import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import {
  auditOf,
  bearer,
  freshSession,
  join,
  login,
  newEmail,
  personOf,
  register,
  type Person,
} from "../../support/people/accounts.js";
import {
  startIdentityProvider,
  type IdentityProviderServer,
  type ProvidedPerson,
} from "../../support/people/identity-provider.js";
import { turnOnCodes } from "../../support/people/one-time-codes.js";
import { newId } from "../../support/people/tenants.js";
import {
  eventually,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

const START = "/v1/auth/oidc/start";
const CALLBACK = "/v1/auth/oidc/callback";
const CODE = "/v1/auth/oidc/one-time-code";
const DONE = "/dashboard/sign-in?sso=signed_in";

const ADMIN = { email: "root@pay.example", password: "platform password" };

let provider: IdentityProviderServer;
let service: RunningService;
before(async () => {
  provider = await startIdentityProvider();
  service = await startTestService({
    ...provider.settings,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    PLATFORM_ADMIN_EMAIL: ADMIN.email,
    PLATFORM_ADMIN_PASSWORD: ADMIN.password,
  });
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  send(service, "GET", path, { key: null, headers });
const locationOf = (reply: Reply): string => reply.headers.get("location") ?? "";
/** The cookies that an answer sets, by name: each with its value and attributes. */
const cookiesOf = (reply: Reply): Record<string, { value: string; attributes: string }> =>
  Object.fromEntries(
    reply.headers.getSetCookie().map((cookie) => {
      const [, name = "", value = "", attributes = ""] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? [];
      return [name, { value, attributes }];
    }),
  );
const flowOf = (reply: Reply): string => `payinference_oidc=${cookiesOf(reply)["payinference_oidc"]?.value}`;

interface Begun {
  location: string;
  cookie: string;
}

async function begin(query = ""): Promise<Begun> {
  const reply = await get(START + query);
  assert.equal(reply.status, 302, reply.text);
  return { location: locationOf(reply), cookie: flowOf(reply) };
}

const finish = (query: URLSearchParams, cookie: string): Promise<Reply> =>
  get(`${CALLBACK}?${query.toString()}`, { cookie });

/** All steps of a browser's sign-in. */
async function signIn(person: ProvidedPerson, query = ""): Promise<Reply> {
  const { location, cookie } = await begin(query);
  return finish(await provider.signIn(location, person), cookie);
}

const verified = (email: string): ProvidedPerson => ({
  subject: newId("usr"),
  email,
  isEmailVerified: true,
});

function assertFailed(reply: Reply, error: string): void {
  assert.equal(reply.status, 302);
  assert.equal(locationOf(reply), `/dashboard/sign-in?error=${error}`);
  const { payinference_session: session, payinference_oidc: flow } = cookiesOf(reply);
  assert.equal(session, undefined);
  assert.equal(flow?.value, "");
}

async function accountOf(reply: Reply): Promise<{ user: { user_id: string }; workspace: { id: string } }> {
  const token = cookiesOf(reply)["payinference_session"]?.value ?? "";
  const me = await get("/v1/auth/me", bearer(token));
  assert.equal(me.status, 200, me.text);
  return me.json as unknown as { user: { user_id: string }; workspace: { id: string } };
}

const signInsOf = async ({ workspaceId }: Person): Promise<unknown[]> =>
  (await auditOf(service, workspaceId)).filter(({ action }) => action.startsWith("account.sign"));

describe("AUTH-24: without an identity provider", () => {
  it("AUTH-24: both routes are 404", async () => {
    const plain = await sharedTestService();
    for (const path of [START, CALLBACK]) {
      const { status, json } = await send(plain, "GET", path, { key: null });
      assert.deepEqual([status, json["message"]], [404, "Single sign-on is not set up"]);
    }
  });
});

describe("AUTH-25: the way to the provider", () => {
  it("AUTH-25: the code flow with PKCE, state and nonce", async () => {
    const { location } = await begin();
    const url = new URL(location);
    assert.equal(url.origin, provider.settings.OIDC_ISSUER);
    const asked = Object.fromEntries(url.searchParams);
    assert.equal(asked["response_type"], "code");
    assert.equal(asked["client_id"], provider.settings.OIDC_CLIENT_ID);
    assert.equal(asked["redirect_uri"], `${provider.settings.PUBLIC_URL}${CALLBACK}`);
    assert.equal(asked["scope"], "openid email");
    assert.equal(asked["code_challenge_method"], "S256");
    for (const name of ["state", "nonce", "code_challenge"]) assert.match(asked[name] ?? "", /^[\w-]{43}$/);
  });

  it("AUTH-25: the cookie is short-lived, HttpOnly and SameSite=Lax, and reveals nothing of its content", async () => {
    const reply = await get(START);
    const flow = cookiesOf(reply)["payinference_oidc"];
    assert.equal(flow?.attributes, "; Path=/v1/auth/oidc; Max-Age=600; HttpOnly; SameSite=Lax");
    const plain = Buffer.from(flow.value, "base64url").toString("latin1");
    const { state, nonce } = Object.fromEntries(new URL(locationOf(reply)).searchParams);
    for (const secret of [state, nonce]) assert.ok(secret !== undefined && !plain.includes(secret));
  });

  it("AUTH-25: 400 for a page that is on another site", async () => {
    for (const next of ["//example.com", "/\\example.com", "https://example.com"]) {
      const { status } = await get(`${START}?${new URLSearchParams({ next }).toString()}`);
      assert.equal(status, 400, next);
    }
  });
});

describe("AUTH-26: a sign-in that succeeds", () => {
  it("AUTH-26: sets a session's cookie, ends the flow's, and leads to the page that was asked for", async () => {
    const owner = await register(service);
    const reply = await signIn(verified(owner.email), "?next=%2Fteam%3Fa%3D1");
    assert.equal(reply.status, 302);
    assert.equal(locationOf(reply), `${DONE}&next=%2Fteam%3Fa%3D1`);
    const { payinference_session: session, payinference_oidc: flow } = cookiesOf(reply);
    assert.equal(session?.attributes, "; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict");
    assert.deepEqual(flow, {
      value: "",
      attributes: "; Path=/v1/auth/oidc; Max-Age=0; HttpOnly; SameSite=Lax",
    });
    const { user, workspace } = await accountOf(reply);
    assert.deepEqual([user.user_id, workspace.id], [owner.userId, owner.workspaceId]);
  });

  it("AUTH-30: it is in the audit log, with its way", async () => {
    const owner = await register(service);
    await signIn(verified(owner.email));
    assert.deepEqual(await signInsOf(owner), [
      {
        actor: owner.userId,
        action: "account.signed_in",
        resource: owner.userId,
        metadata: { method: "oidc" },
      },
    ]);
  });
});

describe("AUTH-27: an answer that is not of this sign-in", () => {
  const answer = async (): Promise<{ query: URLSearchParams; cookie: string }> => {
    const owner = await register(service);
    const { location, cookie } = await begin();
    return { query: await provider.signIn(location, verified(owner.email)), cookie };
  };

  it("AUTH-27: wrong state, no state and two states", async () => {
    const { query, cookie } = await answer();
    const other = new URLSearchParams(query);
    other.set("state", (await answer()).query.get("state") ?? "");
    assertFailed(await finish(other, cookie), "not_begun_here");
    other.delete("state");
    assertFailed(await finish(other, cookie), "not_begun_here");
    const twice = new URLSearchParams(query);
    twice.append("state", query.get("state") ?? "");
    assertFailed(await finish(twice, cookie), "not_begun_here");
    assert.equal(locationOf(await finish(query, cookie)), DONE);
  });

  it("AUTH-27: another browser, which has no cookie or one of its own", async () => {
    const { query } = await answer();
    assertFailed(await finish(query, "theme=dark"), "not_begun_here");
    assertFailed(await finish(query, (await begin()).cookie), "not_begun_here");
    assertFailed(await finish(query, "payinference_oidc=AAAA"), "not_begun_here");
  });

  it("AUTH-27: an answer that came before", async () => {
    const { query, cookie } = await answer();
    assert.equal(locationOf(await finish(query, cookie)), DONE);
    assertFailed(await finish(query, cookie), "refused");
  });

  it("AUTH-27: a token with another nonce, and a code for another verifier", async () => {
    const owner = await register(service);
    for (const [name, error] of [
      ["nonce", "invalid_answer"],
      ["code_challenge", "refused"],
    ] as const) {
      const { location, cookie } = await begin();
      const changed = new URL(location);
      changed.searchParams.set(name, "A".repeat(43));
      assertFailed(await finish(await provider.signIn(changed.href, verified(owner.email)), cookie), error);
    }
  });

  it("AUTH-27: another issuer, and none (RFC 9207)", async () => {
    const { query, cookie } = await answer();
    const other = new URLSearchParams(query);
    other.set("iss", "http://127.0.0.1:1");
    assertFailed(await finish(other, cookie), "invalid_answer");
    other.delete("iss");
    assertFailed(await finish(other, cookie), "invalid_answer");
    assert.equal(locationOf(await finish(query, cookie)), DONE);
  });

  it("AUTH-31: a refusal of the provider, with parameters that nobody knows", async () => {
    const { query, cookie } = await answer();
    query.delete("code");
    query.set("error", "access_denied");
    query.set("authuser", "0");
    assertFailed(await finish(query, cookie), "refused");
  });
});

describe("AUTH-28: the people who are let in", () => {
  it("AUTH-28: a verified address links the identity, which lets the person in from then on, with any later address", async () => {
    const owner = await register(service);
    const person = verified(owner.email.toUpperCase());
    assert.equal(locationOf(await signIn(person)), DONE);
    const moved = { ...person, email: newEmail(), isEmailVerified: false };
    assert.equal((await accountOf(await signIn(moved))).user.user_id, owner.userId);
  });

  it("AUTH-28: an address that is unverified, or of unknown state, lets nobody in", async () => {
    const owner = await register(service);
    const { isEmailVerified, ...unsaid } = verified(owner.email);
    for (const person of [unsaid, { ...unsaid, isEmailVerified: !isEmailVerified }])
      assertFailed(await signIn(person), "email_not_verified");
    const failed = {
      actor: owner.userId,
      action: "account.sign_in_failed",
      resource: owner.userId,
      metadata: { method: "oidc" },
    };
    // AUTH-30. The answer does not wait for the audit entry.
    await eventually(async () => assert.deepEqual(await signInsOf(owner), [failed, failed]));
  });

  it("AUTH-28: a stranger gets no account, and an invitation alone makes none", async () => {
    const email = newEmail();
    assertFailed(await signIn(verified(email)), "unknown_person");
    const owner = await register(service);
    const invited = await send(service, "POST", "/v1/team/invitations", {
      key: null,
      headers: bearer(owner.token),
      body: { email, role: "analyst" },
    });
    assert.equal(invited.status, 201);
    assertFailed(await signIn(verified(email)), "unknown_person");
  });

  it("AUTH-29: a second identity with the same address does not open the account", async () => {
    const owner = await register(service);
    assert.equal(locationOf(await signIn(verified(owner.email))), DONE);
    assertFailed(await signIn(verified(owner.email)), "linked_otherwise");
  });

  it("AUTH-29: a released address ends the link, and its holder links it again", async () => {
    const squatter = await register(service);
    const person = verified(squatter.email);
    assert.equal(locationOf(await signIn(person)), DONE);
    const admin = personOf(await login(service, ADMIN.email, ADMIN.password));
    const released = await send(service, "POST", "/v1/admin/accounts/release", {
      key: null,
      headers: bearer(admin.token),
      body: { email: squatter.email, reason: "Registered by somebody else" },
    });
    assert.equal(released.status, 204, released.text);
    assertFailed(await signIn(person), "unknown_person");
    const holder = await register(service, squatter.email);
    assert.equal((await accountOf(await signIn(person))).user.user_id, holder.userId);
  });

  it("AUTH-28: a former member, or a member of a suspended workspace alone, is not let in", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const person = verified(member.email);
    const headers = bearer(owner.token);
    await send(service, "DELETE", `/v1/team/${member.userId}`, { key: null, headers });
    assertFailed(await signIn(person), "no_membership");
    const { rowCount } = await service.pool.query(
      "update workspaces set status = status + 1 where workspace_id = $1",
      [idToHex(owner.workspaceId)],
    );
    assert.equal(rowCount, 1);
    assertFailed(await signIn(verified(owner.email)), "inactive_tenant");
  });
});

describe("AUTH-32: one-time codes beside the provider", () => {
  const enterCode = (code: string, cookie: string): Promise<Reply> =>
    send(service, "POST", CODE, { key: null, headers: { cookie }, body: { code } });

  it("AUTH-32: a person with codes is asked for one, and signed in by it", async () => {
    const owner = await register(service);
    const app = await turnOnCodes(service, owner);
    const asked = await signIn(verified(owner.email));
    assert.equal(locationOf(asked), "/dashboard/sign-in?sso=code_required");
    assert.equal(cookiesOf(asked)["payinference_session"], undefined);
    const wrong = await enterCode("no code", flowOf(asked));
    assert.deepEqual([wrong.status, wrong.json["code"]], [401, "one_time_code_wrong"]);
    const right = await enterCode(await app.nextCode(), flowOf(asked));
    assert.equal(right.status, 200, right.text);
    assert.equal((right.json["user"] as { user_id: string }).user_id, owner.userId);
    assert.equal(cookiesOf(right)["payinference_oidc"]?.value, "");
    await accountOf(right);
  });

  it("AUTH-32: the cookie of a sign-in that was only begun is none for a code", async () => {
    const { cookie } = await begin();
    assert.equal((await enterCode("123456", cookie)).status, 409);
  });

  it("AUTH-32: the provider's own second factor is enough", async () => {
    const owner = await register(service);
    await turnOnCodes(service, owner);
    const person = verified(owner.email);
    assert.match(locationOf(await signIn({ ...person, amr: ["pwd"] })), /code_required/);
    assert.equal(locationOf(await signIn({ ...person, amr: ["pwd", "mfa"] })), DONE);
  });
});

describe("AUTH-38: a workspace that requires one-time codes", () => {
  it("AUTH-38: several factors at the provider are enough, one is not, and codes of one's own are asked for", async () => {
    const owner = await register(service);
    await service.pool.query("update workspaces set require_one_time_codes = true where workspace_id = $1", [
      idToHex(owner.workspaceId),
    ]);
    const person = verified(owner.email);
    const mustEnrolBy = async (amr: string[]): Promise<boolean> => {
      const reply = await signIn({ ...person, amr });
      const cookie = `payinference_session=${cookiesOf(reply)["payinference_session"]?.value}`;
      const statusOf = async (path: string) => (await get(path, { cookie })).status;
      assert.equal(await statusOf("/v1/auth/me"), 200);
      const status = await statusOf("/v1/team");
      assert.ok(status === 200 || status === 403, String(status));
      return status === 403;
    };
    for (const amr of [
      ["pwd", "mfa"],
      ["pwd", "otp"],
    ])
      assert.equal(await mustEnrolBy(amr), false, amr.join());
    for (const amr of [[], ["pwd"], ["otp"], ["otp", "otp"]])
      assert.equal(await mustEnrolBy(amr), true, amr.join());
    await turnOnCodes(service, { ...owner, token: (await freshSession(service, owner)).token });
    assert.match(locationOf(await signIn({ ...person, amr: ["pwd"] })), /code_required/);
  });
});

describe("AUTH-30: the metric", () => {
  it("AUTH-30: counts sign-ins by their result", ONE_NODE, async () => {
    const countOf = async (result: string): Promise<number> => {
      const text = await (await fetch(service.metricsUrl)).text();
      return Number(
        new RegExp(`^payinference_oidc_sign_ins_total{result="${result}"} (\\d+)$`, "m").exec(text)?.[1],
      );
    };
    const before = [await countOf("signed_in"), await countOf("unknown_person")] as const;
    await signIn(verified((await register(service)).email));
    await signIn(verified(newEmail()));
    const after = [await countOf("signed_in"), await countOf("unknown_person")];
    assert.deepEqual(after, [before[0] + 1, before[1] + 1]);
  });
});

describe("AUTH-33: a provider that is away", () => {
  it("AUTH-33: the start succeeds; a sign-in is 503, and the dashboard shows it in the browser", async () => {
    const alone = await startTestService({ ...provider.settings, OIDC_ISSUER: "http://127.0.0.1:1" });
    const { status, json } = await send(alone, "GET", START, { key: null });
    assert.deepEqual([status, json["message"]], [503, "The identity provider does not answer right now"]);
    const page = await send(alone, "GET", START, { key: null, headers: { accept: "text/html,*/*" } });
    assert.equal(locationOf(page), "/dashboard/sign-in?error=provider_unavailable");
  });
});
