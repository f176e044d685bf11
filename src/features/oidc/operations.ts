import { OIDC_ERRORS } from "../../domain/vocabulary/vocabulary.js";
import type { Operations, Parameter } from "../../platform/wire/operation.js";
import { ACCOUNTS_UNAVAILABLE, signedIn } from "../accounts/wire/signed-in.js";
import { nextParameter, oidcCodeSchema } from "./wire.js";

const OFF = "Single sign-on is not set up.";

const header = (description: string): Parameter => ({ schema: { type: "string" }, description });
const parameter = (description: string): Parameter => ({ schema: { type: "string" }, description });

export const OIDC_OPERATIONS: Operations = {
  "GET /v1/auth/oidc/start": {
    operationId: "startOidc",
    tag: "Accounts",
    summary: "Sign in by the identity provider",
    description:
      "For browsers: by the code flow of OpenID Connect, with PKCE. While the provider is away, a browser that takes a page is sent to the dashboard, which says so.",
    query: { next: { schema: nextParameter, description: "The page of the dashboard that is asked for." } },
    answers: {
      302: {
        description: "To the identity provider.",
        headers: {
          location: header("The provider's address for this sign-in."),
          "set-cookie": header(
            "The sign-in until it is finished, as payinference_oidc: SameSite=Lax, HttpOnly.",
          ),
          vary: header("accept"),
        },
      },
    },
    refuses: { 404: OFF, 503: "The identity provider does not answer." },
  },
  "GET /v1/auth/oidc/callback": {
    operationId: "finishOidc",
    tag: "Accounts",
    summary: "The identity provider's answer",
    description: `Leads to the dashboard in any case. A failed sign-in has \`error\` in the address: ${OIDC_ERRORS.join(", ")}. \`sso=code_required\` says that a one-time code is missing.`,
    query: {
      code: parameter("The provider's code for one sign-in."),
      state: parameter("That of the sign-in's beginning."),
      iss: parameter("RFC 9207: who answers."),
      error: parameter("Why the provider refuses."),
    },
    answers: {
      302: {
        description: "To the dashboard, signed in or with an error.",
        headers: {
          location: header("A page of the dashboard."),
          "set-cookie": header("The session, as payinference_session; and the end of payinference_oidc."),
        },
      },
    },
    refuses: { 404: OFF },
  },
  "POST /v1/auth/oidc/one-time-code": {
    operationId: "enterOidcCode",
    tag: "Accounts",
    summary: "Finish a sign-in by the identity provider with a one-time code",
    description: "For who has turned one-time codes on, where the provider has asked for one factor only.",
    body: oidcCodeSchema,
    answers: { 200: signedIn("Signed in.") },
    refuses: {
      401: "The one-time code is wrong.",
      403: "Not a member of any workspace, or the workspace is suspended.",
      404: OFF,
      409: "No sign-in waits for a code, or the account is linked to another identity.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
};
