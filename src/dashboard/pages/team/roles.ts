import type { Role } from "../../../domain/vocabulary/vocabulary.js";
import type { Tone } from "../../design/base/badge.js";

/** One sentence for each role about its permissions. */
export const ROLE_HINTS = {
  owner: "Everything, and makes other owners.",
  admin: "Everything but making and changing owners.",
  developer: "Policies, prices, API keys, integrations and merchants.",
  analyst: "Reads figures and policies, reviews held payments, acknowledges alerts.",
} as const satisfies Record<Role, string>;

export const ROLE_TONES = {
  owner: "accent",
  admin: "info",
  developer: "good",
  analyst: "neutral",
} as const satisfies Record<Role, Tone>;
