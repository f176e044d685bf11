import type { Invitation } from "./queries/invitation.js";
import type { Member } from "./queries/team.js";
import type { InvitationBody, MemberBody } from "./wire/team-response-schema.js";

export function memberBody({ userId, email, name, role, createdAt, lastLoginAt }: Member): MemberBody {
  return {
    user_id: userId,
    email,
    name,
    role,
    created_at: createdAt.toISOString(),
    last_login_at: lastLoginAt?.toISOString() ?? null,
  };
}

export function invitationBody({
  invitationId,
  email,
  role,
  createdAt,
  expiresAt,
}: Invitation): InvitationBody {
  return {
    invitation_id: invitationId,
    email,
    role,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
