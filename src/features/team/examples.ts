import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const TEAM_EXAMPLES: Examples = {
  acceptInvitation: {
    request: { token: "example_of_a_token", name: "Grace", password: "correct horse battery" },
    "201": {
      user: { user_id: "usr_01m7x2m9xsajnn9n8hzecs9ha4", email: "grace@example.com", name: "Grace" },
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        default_decision_mode: null,
        risk_block_threshold: 90,
        risk_block_threshold_source: "default",
        created_at: "2026-11-20T18:13:45.217Z",
      },
      session: { token: "ses_example_of_a_token", expires_at: "2026-11-27T18:13:49.157Z" },
    },
    "400": {
      error: "validation_error",
      issues: [
        { path: "name", code: "invalid_type", message: "Required" },
        { path: "password", code: "invalid_type", message: "Required" },
      ],
    },
    "401": { statusCode: 401, message: "Invalid e-mail address or password", error: "Unauthorized" },
    "404": { statusCode: 404, message: "Invitation not found", error: "Not Found" },
    "409": { statusCode: 409, message: "You are a member of this workspace already", error: "Conflict" },
  },
  getTeam: {
    "200": {
      members: [
        {
          user_id: "usr_01m7x2m642spb3bsttt123d9bd",
          email: "owner@example.com",
          name: "Ada",
          role: "owner",
          created_at: "2026-11-20T18:13:45.217Z",
          last_login_at: "2026-11-20T18:13:45.675Z",
        },
        {
          user_id: "usr_01m7x2m9xsajnn9n8hzecs9ha4",
          email: "grace@example.com",
          name: "Grace",
          role: "analyst",
          created_at: "2026-11-20T18:13:49.101Z",
          last_login_at: "2026-11-20T18:13:49.153Z",
        },
      ],
      invitations: [
        {
          invitation_id: "inv_01m7x2m9qnwkw8f0vca5dz5mh8",
          email: "linus@example.com",
          role: "developer",
          created_at: "2026-11-20T18:13:48.917Z",
          expires_at: "2026-11-27T18:13:48.917Z",
        },
      ],
    },
  },
  inviteMember: {
    request: { email: "grace@example.com", role: "analyst" },
    "201": {
      invitation: {
        invitation_id: "inv_01m7x2m9k6a1m426z12k4jfyx3",
        email: "grace@example.com",
        role: "analyst",
        created_at: "2026-11-20T18:13:48.774Z",
        expires_at: "2026-11-27T18:13:48.774Z",
      },
      token: "example_of_a_token",
    },
    "400": {
      error: "validation_error",
      issues: [
        { path: "role", code: "invalid_enum_value", message: "Must be one of admin, developer, analyst" },
      ],
    },
    "409": { statusCode: 409, message: "Is a member of this workspace already", error: "Conflict" },
  },
  changeMemberRole: {
    request: { role: "admin" },
    "200": {
      member: {
        user_id: "usr_01m7x2m9xsajnn9n8hzecs9ha4",
        email: "grace@example.com",
        name: "Grace",
        role: "admin",
        created_at: "2026-11-20T18:13:49.101Z",
        last_login_at: "2026-11-20T18:13:49.153Z",
      },
    },
    "400": {
      error: "validation_error",
      issues: [
        {
          path: "role",
          code: "invalid_enum_value",
          message: "Must be one of owner, admin, developer, analyst",
        },
      ],
    },
    "404": { statusCode: 404, message: "Member not found", error: "Not Found" },
    "409": { statusCode: 409, message: "The last owner of a workspace stays", error: "Conflict" },
  },
  removeMember: {
    "404": { statusCode: 404, message: "Member not found", error: "Not Found" },
    "409": { statusCode: 409, message: "The last owner of a workspace stays", error: "Conflict" },
  },
};
