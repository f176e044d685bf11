import assert from "node:assert/strict";
import { startSession } from "../../../src/path/access/sessions.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import type { Role } from "../../../src/domain/vocabulary/vocabulary.js";
import { send, type Reply, type RunningService } from "../service/service.js";
import { newId } from "./tenants.js";

/** Creates people over HTTP, as real users sign up. */

export const PASSWORD = "correct horse battery";

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
export const newEmail = (): string => `${newId("usr")}@example.com`;

export interface Person {
  email: string;
  userId: string;
  workspaceId: string;
  token: string;
}

interface SignedInBody {
  user: { user_id: string; email: string; name: string | null };
  workspace: { id: string };
  session: { token: string; expires_at: string };
}

export function personOf({ json }: Reply): Person {
  const { user, workspace, session } = json as unknown as SignedInBody;
  return { email: user.email, userId: user.user_id, workspaceId: workspace.id, token: session.token };
}

export const post = (
  service: RunningService,
  path: string,
  body: unknown,
  token: string | null = null,
): Promise<Reply> =>
  send(service, "POST", path, { body, key: null, headers: token === null ? {} : bearer(token) });

export const ask = (service: RunningService, method: string, path: string, token: string): Promise<Reply> =>
  send(service, method, path, { key: null, headers: bearer(token) });

/** Registers the owner of a new workspace with the merchant `demo_merchant`. */
export async function register(service: RunningService, email = newEmail()): Promise<Person> {
  const reply = await post(service, "/v1/auth/register", {
    email,
    password: PASSWORD,
    workspace_name: "Shop",
    merchant_id: "demo_merchant",
  });
  assert.equal(reply.status, 201, reply.text);
  return personOf(reply);
}

export async function login(
  service: RunningService,
  email: string,
  password = PASSWORD,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return send(service, "POST", "/v1/auth/login", { body: { email, password }, key: null, headers });
}

/**
 * Invites a person to the owner's workspace and accepts. A new owner is invited as an admin and promoted afterwards.
 */
export async function join(service: RunningService, owner: Person, role: Role): Promise<Person> {
  const invited = await post(
    service,
    "/v1/team/invitations",
    { email: newEmail(), role: role === "owner" ? "admin" : role },
    owner.token,
  );
  assert.equal(invited.status, 201, invited.text);
  const accepted = await post(service, "/v1/auth/accept-invitation", {
    token: invited.json["token"],
    name: "Member",
    password: PASSWORD,
  });
  assert.equal(accepted.status, 201, accepted.text);
  const person = personOf(accepted);
  if (role !== "owner") return person;
  const path = `/v1/team/${person.userId}`;
  const body = { role };
  const made = await send(service, "PATCH", path, { body, key: null, headers: bearer(owner.token) });
  assert.equal(made.status, 200, made.text);
  return person;
}

/** Another session of the person, begun at `nowMs`. */
export function freshSession(
  service: RunningService,
  { userId, workspaceId }: Person,
  nowMs = Date.now(),
): Promise<{ token: string }> {
  return startSession(service.pool, { userId, workspaceId }, nowMs);
}

export interface AuditRow {
  actor: string;
  action: string;
  resource: string;
  metadata: Record<string, unknown>;
}

/** A workspace's audit trail, oldest first. */
export async function auditOf(service: RunningService, workspaceId: string): Promise<AuditRow[]> {
  const { rows } = await service.pool.query<AuditRow>(
    "select actor, action, resource, metadata from audit_log where workspace_id = $1 order by audit_id",
    [idToHex(workspaceId)],
  );
  return rows;
}
