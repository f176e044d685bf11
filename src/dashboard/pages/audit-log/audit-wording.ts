import type { Tone } from "../../design/base/badge.js";

interface Wording {
  /** The words after the actor's name. */
  words: string;
  tone: Tone;
}

/** ADM-5: every action in words. The tone tells whether something was created, changed, put in force or ended. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  "policy.created": { words: "saved a policy draft", tone: "neutral" },
  "policy.published": { words: "published a policy", tone: "accent" },
  "policy.rolled_back": { words: "rolled back to an earlier policy", tone: "watch" },
  "workspace.created": { words: "created the workspace", tone: "good" },
  "workspace.updated": { words: "changed the workspace's settings", tone: "info" },
  "workspace.suspended": { words: "suspended the workspace", tone: "critical" },
  "workspace.activated": { words: "activated the workspace", tone: "good" },
  "erasure.requested": { words: "asked for an erasure", tone: "critical" },
  "erasure.finished": { words: "had something erased: it is done", tone: "critical" },
  "account.released": { words: "took an e-mail address from its account", tone: "critical" },
  "account.signed_in": { words: "signed in", tone: "neutral" },
  "account.sign_in_failed": { words: "was asked for, and the sign-in was refused", tone: "watch" },
  "account.password_changed": { words: "changed their password", tone: "watch" },
  "account.password_reset": { words: "set a new password with a token", tone: "watch" },
  "account.email_verified": { words: "proved that their e-mail address is theirs", tone: "good" },
  "account.one_time_codes_enabled": { words: "turned one-time codes on", tone: "good" },
  "account.one_time_codes_disabled": { words: "turned one-time codes off", tone: "watch" },
  "account.recovery_code_used": { words: "used a recovery code", tone: "watch" },
  "team.one_time_codes_reset": { words: "turned off a member's one-time codes", tone: "watch" },
  "account.session_ended": { words: "ended a session of theirs", tone: "watch" },
  "account.sessions_ended": { words: "ended their other sessions", tone: "watch" },
  "team.password_reset_requested": { words: "let a member set a new password", tone: "watch" },
  "set_aside.retried": { words: "tried to store a record again that PostgreSQL refused", tone: "watch" },
  "set_aside.discarded": { words: "gave up a record that PostgreSQL refused", tone: "critical" },
  "merchant.created": { words: "added a merchant", tone: "good" },
  "provider_override.set": { words: "started a drill on a provider", tone: "watch" },
  "provider_override.lifted": { words: "ended a drill on a provider", tone: "info" },
  "alert.acknowledged": { words: "acknowledged an alert", tone: "neutral" },
  "review.approved": { words: "approved a held payment", tone: "good" },
  "review.rejected": { words: "rejected a held payment", tone: "critical" },
  "api_key.created": { words: "created an API key", tone: "good" },
  "api_key.revoked": { words: "revoked an API key", tone: "critical" },
  "api_key.rotated": { words: "rotated an API key", tone: "watch" },
  "team.invited": { words: "invited somebody to the team", tone: "info" },
  "team.joined": { words: "joined the team", tone: "good" },
  "team.role_changed": { words: "changed a member's role", tone: "info" },
  "team.removed": { words: "removed a member", tone: "critical" },
  "pricing_contract.uploaded": { words: "uploaded contract prices", tone: "accent" },
  "webhook_secret.set": { words: "set a webhook secret", tone: "good" },
  "webhook_secret.rotated": { words: "rotated a webhook secret", tone: "watch" },
  "event_endpoint.created": { words: "added an event endpoint", tone: "good" },
  "event_endpoint.updated": { words: "changed an event endpoint", tone: "info" },
  "event_endpoint.deleted": { words: "deleted an event endpoint", tone: "critical" },
  "event_endpoint.tested": { words: "tested an event endpoint", tone: "neutral" },
  "export.created": { words: "started an export", tone: "info" },
  "export.deleted": { words: "deleted an export", tone: "critical" },
  "saved_view.created": { words: "saved a view", tone: "neutral" },
  "saved_view.updated": { words: "changed a view", tone: "neutral" },
  "saved_view.deleted": { words: "deleted a view", tone: "neutral" },
  "event_endpoint.redelivered": { words: "had an event sent once more", tone: "neutral" },
};

/** An unknown action is shown by its own name. */
export function wordingOf(action: string): Wording {
  return WORDINGS[action] ?? { words: action.replaceAll(/[._]/g, " "), tone: "neutral" };
}
