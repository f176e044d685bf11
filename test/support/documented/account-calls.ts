import { idToHex } from "../../../src/domain/ids/ids.js";
import { SCOPES } from "../../../src/domain/vocabulary/vocabulary.js";
import { bearer, PASSWORD } from "../people/accounts.js";
import { authenticatorOf } from "../people/one-time-codes.js";
import { waitingToken } from "../service/letters.js";
import { newId } from "../people/tenants.js";
import type { Reply, RunningService } from "../service/service.js";
import type { IdentityProviderServer } from "../people/identity-provider.js";
import { memberOf, type DocumentedCalls } from "./documented-calls.js";

type Headers = Readonly<Record<string, string>>;

/** The credentials for the calls. */
export interface Callers {
  /** The owner's session. */
  session: Headers;
  ownerId: string;
  workspaceId: string;
  /** An API key of live mode with every scope. */
  key: Headers;
}

export const MERCHANT = "demo_merchant";
export const UNKNOWN_MERCHANT = "unknown_merchant";
const OWNER = { email: "owner@example.com", password: PASSWORD };
const GRACE = "grace@example.com";
const LINUS = "linus@example.com";

/** Registers an owner, and calls the operations of passwords, sessions, one-time codes and API keys. */
export async function callAccounts(calls: DocumentedCalls): Promise<Callers> {
  const call = calls.call.bind(calls);
  const body = { ...OWNER, name: "Ada", workspace_name: "Shop", merchant_id: MERCHANT };
  await call("register", 400, { body: { ...body, password: "too short" } });
  await call("register", 201, { body });
  await call("register", 409, { body });
  await call("login", 400, { body: { email: OWNER.email } });
  await call("login", 401, { body: { ...OWNER, password: "another password" } });
  const reply = await call("login", 200, { body: OWNER });
  const session = bearer(memberOf(reply, "session", "token"));
  await call("getAccount", 200, { headers: session });
  const passwords = { current_password: PASSWORD, new_password: PASSWORD };
  await call("changePassword", 400, { headers: session, body: { new_password: PASSWORD } });
  await call("changePassword", 403, {
    headers: session,
    body: { ...passwords, current_password: "another password" },
  });
  await call("changePassword", 204, { headers: session, body: passwords });

  await callOneTimeCodes(calls, session);
  await call("listSessions", 400, { headers: session, query: "?page_size=0" });
  await call("listSessions", 200, { headers: session });
  const second = await call("login", 200, { body: OWNER });
  const listed = await call("listSessions", 200, {
    headers: bearer(memberOf(second, "session", "token")),
  });
  const [own] = listed.json["sessions"] as { session_id: string }[];
  await call("endSession", 404, { headers: session, path: { sessionId: newId("ses") } });
  await call("endSession", 204, { headers: session, path: { sessionId: own?.session_id ?? "" } });
  await call("endOtherSessions", 204, { headers: session });

  const checkout = { name: "Checkout", mode: "live", scopes: SCOPES };
  await call("createApiKey", 400, { headers: session, body: { ...checkout, scopes: [] } });
  await call("createApiKey", 403, {
    headers: session,
    body: { ...checkout, merchant_id: UNKNOWN_MERCHANT },
  });
  const made = await call("createApiKey", 201, {
    headers: session,
    body: { ...checkout, expires_at: "2099-12-31T23:59:59+01:00" },
  });
  const old = await call("createApiKey", 201, {
    headers: session,
    body: { name: "Old", mode: "test", scopes: ["health:read"], merchant_id: MERCHANT },
  });
  await call("createApiKey", 409, { headers: session, body: checkout });
  await call("revokeApiKey", 404, { headers: session, path: { id: newId("key") } });
  await call("revokeApiKey", 200, { headers: session, path: { id: memberOf(old, "api_key", "id") } });
  const another = await call("createApiKey", 201, {
    headers: session,
    body: { name: "Nightly report", mode: "live", scopes: ["policy:read"] },
  });
  const rotated = { headers: session, path: { id: memberOf(another, "api_key", "id") } };
  await call("rotateApiKey", 400, { ...rotated, body: { overlap_hours: 169 } });
  await call("rotateApiKey", 404, { headers: session, path: { id: newId("key") }, body: {} });
  await call("rotateApiKey", 201, { ...rotated, body: { overlap_hours: 48 } });
  await call("rotateApiKey", 409, { ...rotated, body: {} });
  await call("listApiKeys", 400, { headers: session, query: "?page_size=0" });
  await call("listApiKeys", 200, { headers: session });
  return {
    session,
    ownerId: memberOf(reply, "user", "user_id"),
    workspaceId: memberOf(reply, "workspace", "id"),
    key: { "x-api-key": memberOf(made, "secret") },
  };
}

/** Turns one-time codes on and off. */
async function callOneTimeCodes(calls: DocumentedCalls, headers: Headers): Promise<void> {
  const call = calls.call.bind(calls);
  const enrolment = { current_password: PASSWORD };
  await call("enrolOneTimeCodes", 400, { headers, body: {} });
  await call("enrolOneTimeCodes", 403, { headers, body: { current_password: "another password" } });
  await call("confirmOneTimeCodes", 400, { headers, body: {} });
  await call("confirmOneTimeCodes", 409, { headers, body: { code: "123456" } });
  const enrolled = await call("enrolOneTimeCodes", 201, { headers, body: enrolment });
  const app = authenticatorOf(memberOf(enrolled, "secret"));
  await call("confirmOneTimeCodes", 403, { headers, body: { code: "not a code" } });
  await call("confirmOneTimeCodes", 200, { headers, body: { code: await app.nextCode() } });
  await call("enrolOneTimeCodes", 409, { headers, body: enrolment });
  await call("getOneTimeCodes", 200, { headers });
  const disabling = { ...enrolment, code: await app.nextCode() };
  await call("disableOneTimeCodes", 400, { headers, body: enrolment });
  await call("disableOneTimeCodes", 403, { headers, body: { ...disabling, code: "not a code" } });
  await call("disableOneTimeCodes", 204, { headers, body: disabling });
  await call("disableOneTimeCodes", 409, { headers, body: disabling });
}

/** Invites, changes and removes members. */
export async function callTeam(
  calls: DocumentedCalls,
  service: RunningService,
  { session, ownerId }: Callers,
): Promise<void> {
  const call = calls.call.bind(calls);
  const invite = async (status: number, email: string, role = "analyst"): Promise<string> => {
    const reply = await call("inviteMember", status, { headers: session, body: { email, role } });
    return status === 201 ? memberOf(reply, "token") : "";
  };
  await invite(400, GRACE, "owner");
  const token = await invite(201, GRACE);
  const grace = { token, name: "Grace", password: PASSWORD };
  await call("acceptInvitation", 400, { body: { token } });
  await call("acceptInvitation", 404, { body: { ...grace, token: "A".repeat(token.length) } });
  const accepted = await call("acceptInvitation", 201, { body: grace });
  await invite(409, GRACE);

  await call("register", 201, {
    body: { email: LINUS, password: PASSWORD, name: "Linus", workspace_name: "Other" },
  });
  const linus = { token: await invite(201, LINUS, "developer"), name: "Linus", password: PASSWORD };
  await call("getTeam", 400, { headers: session, query: "?page_size=0" });
  await call("getTeam", 200, { headers: session });
  await call("listInvitations", 400, { headers: session, query: "?page_size=0" });
  await call("listInvitations", 200, { headers: session });
  await call("acceptInvitation", 401, { body: { ...linus, password: "another password" } });
  await call("acceptInvitation", 201, { body: linus });
  // Simulates a member who has joined by another invitation, while this one is still open.
  await service.pool.query("update invitations set accepted_at = null where email = $1", [LINUS]);
  await call("acceptInvitation", 409, { body: linus });

  const path = { userId: memberOf(accepted, "user", "user_id") };
  const owner = { userId: ownerId };
  const nobody = { userId: newId("usr") };
  await call("changeMemberRole", 400, { headers: session, path, body: { role: "guest" } });
  await call("changeMemberRole", 404, { headers: session, path: nobody, body: { role: "admin" } });
  await call("changeMemberRole", 409, { headers: session, path: owner, body: { role: "admin" } });
  await call("changeMemberRole", 200, { headers: session, path, body: { role: "admin" } });
  await call("resetMemberPassword", 404, { headers: session, path: nobody });
  await call("resetMemberPassword", 409, { headers: session, path: owner });
  await call("resetMemberOneTimeCodes", 404, { headers: session, path: nobody });
  await call("resetMemberOneTimeCodes", 409, { headers: session, path });
  // Simulates a member who has turned codes on.
  await service.pool.query(
    "insert into one_time_codes (user_id, sealed, created_at, confirmed_at) values ($1, '', now(), now())",
    [idToHex(path.userId)],
  );
  await call("resetMemberOneTimeCodes", 204, { headers: session, path });
  const reset = await call("resetMemberPassword", 201, { headers: session, path });
  const redemption = { token: memberOf(reset, "token"), new_password: PASSWORD };
  await call("resetPassword", 400, { body: { token: redemption.token } });
  await call("resetPassword", 204, { body: redemption });
  await call("resetPassword", 404, { body: redemption });
  await call("removeMember", 404, { headers: session, path: nobody });
  await call("removeMember", 409, { headers: session, path: owner });
  await call("removeMember", 204, { headers: session, path });
  await call("login", 403, { body: { email: GRACE, password: PASSWORD } });
}

/** Signs the owner in with the identity provider. One-time codes are on, and a recovery code completes the sign-in. */
export async function callOidc(
  calls: DocumentedCalls,
  provider: IdentityProviderServer,
  { session: headers }: Callers,
): Promise<void> {
  const call = calls.call.bind(calls);
  const begun = await call("startOidc", 302);
  await call("startOidc", 400, { query: "?next=elsewhere" });
  const person = { subject: "ada", email: OWNER.email, isEmailVerified: true };
  const enrolled = await call("enrolOneTimeCodes", 201, { headers, body: { current_password: PASSWORD } });
  const app = authenticatorOf(memberOf(enrolled, "secret"));
  const confirmed = await call("confirmOneTimeCodes", 200, { headers, body: { code: await app.nextCode() } });
  const [first, second] = confirmed.json["recovery_codes"] as [string, string];
  const cookieOf = (reply: Reply): string => reply.headers.get("set-cookie")?.split(";")[0] ?? "";
  const answer = await provider.signIn(begun.headers.get("location") ?? "", person);
  const asked = await call("finishOidc", 302, {
    headers: { cookie: cookieOf(begun) },
    query: `?${answer.toString()}`,
  });
  const cookie = { cookie: cookieOf(asked) };
  await call("enterOidcCode", 400, { headers: cookie, body: {} });
  await call("enterOidcCode", 401, { headers: cookie, body: { code: "not a code" } });
  await call("enterOidcCode", 409, { body: { code: "123456" } });
  await call("enterOidcCode", 200, { headers: cookie, body: { code: first } });
  const disabling = { current_password: PASSWORD, code: second };
  await call("disableOneTimeCodes", 204, { headers, body: disabling });
}

/** Requests letters from a service that sends mail, and follows their links. */
export async function callLetters(
  calls: DocumentedCalls,
  to: RunningService,
  { session }: Callers,
): Promise<void> {
  const call = calls.call.bind(calls);
  await call("forgotPassword", 400, { body: { email: "nobody" } });
  await call("forgotPassword", 202, { body: { email: OWNER.email } });
  await call("getEmail", 200, { headers: session });
  await call("sendAddressProof", 409, { headers: session });
  const registered = await call("register", 201, { to, body: { ...OWNER, workspace_name: "Shop" } });
  // A new letter is sent only some time after the last one, so this makes the registration's letter older.
  await to.pool.query("update email_tokens set created_at = created_at - interval '1 minute'");
  await call("sendAddressProof", 202, { to, headers: bearer(memberOf(registered, "session", "token")) });
  const token = await waitingToken(to.pool, OWNER.email);
  await call("proveAddress", 400, { to, body: {} });
  await call("proveAddress", 204, { to, body: { token } });
  await call("proveAddress", 404, { to, body: { token } });
}
