import type { Answer } from "../../../platform/wire/operation.js";
import { signedInSchema } from "./account-response-schema.js";

/** The answer of every operation that signs somebody in. */
export const signedIn = (description: string): Answer => ({
  description,
  schema: signedInSchema,
  headers: {
    "set-cookie": {
      schema: { type: "string" },
      description: "The session, as payinference_session: HttpOnly, SameSite=Strict.",
    },
  },
});
export const ACCOUNTS_UNAVAILABLE =
  "Accounts cannot be read or changed, or too many passwords are being checked.";
