import type { Operations } from "../../platform/wire/operation.js";
import { pageParameters } from "../../platform/wire/parameters.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { sessionListSchema } from "./wire.js";

export const SESSION_OPERATIONS: Operations = {
  "GET /v1/auth/sessions": {
    operationId: "listSessions",
    tag: "Accounts",
    summary: "One's own sessions, in all workspaces",
    query: pageParameters(idSchema("ses"), "session", "Sessions"),
    answers: { 200: { description: "One page, newest first.", schema: sessionListSchema } },
  },
  "DELETE /v1/auth/sessions": {
    operationId: "endOtherSessions",
    tag: "Accounts",
    summary: "End all of one's other sessions",
    description: "The session that asks lives on. The others end in all workspaces.",
    answers: { 204: { description: "Ended." } },
  },
  "DELETE /v1/auth/sessions/:sessionId": {
    operationId: "endSession",
    tag: "Accounts",
    summary: "End one of one's own sessions",
    path: { sessionId: { schema: { type: "string" }, description: "Of a session in the list." } },
    answers: {
      204: {
        description: "Ended.",
        headers: {
          "set-cookie": {
            schema: { type: "string" },
            description: "Takes the session's cookie away, if the session that asks has ended.",
          },
        },
      },
    },
    refuses: { 404: "Unknown, ended, or somebody else's." },
  },
};
