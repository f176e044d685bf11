import type { Operations } from "../../platform/wire/operation.js";
import { ACCOUNTS_UNAVAILABLE } from "../accounts/wire/signed-in.js";
import { acceptedSchema, emailStateSchema } from "./wire/email-link-response-schema.js";
import { addressProofSchema, forgottenPasswordSchema } from "./wire/email-link-schema.js";

const NO_MAIL = "The deployment sends no mail";

export const EMAIL_LINK_OPERATIONS: Operations = {
  "POST /v1/auth/forgot-password": {
    operationId: "forgotPassword",
    tag: "Accounts",
    summary: "Have a link to a new password sent",
    description: "The answer is the same for every address. The link works once, for an hour.",
    body: forgottenPasswordSchema,
    answers: {
      202: {
        description: "Who has an account gets a letter, where the deployment sends mail.",
        schema: acceptedSchema,
      },
    },
    refuses: { 503: ACCOUNTS_UNAVAILABLE },
  },
  "GET /v1/auth/email": {
    operationId: "getEmail",
    tag: "Accounts",
    summary: "One's own e-mail address, and whether it is proved",
    answers: { 200: { description: "The address.", schema: emailStateSchema } },
  },
  "POST /v1/auth/email/send-proof": {
    operationId: "sendAddressProof",
    tag: "Accounts",
    summary: "Have a link sent that proves one's address",
    answers: { 202: { description: "On its way.", schema: acceptedSchema } },
    refuses: { 409: `${NO_MAIL}, the address is proved, or a letter went a minute ago.` },
  },
  "POST /v1/auth/email/prove": {
    operationId: "proveAddress",
    tag: "Accounts",
    summary: "Prove an address by the token of a letter",
    body: addressProofSchema,
    answers: { 204: { description: "Proved." } },
    refuses: { 404: "No such token, or it is used or expired.", 503: ACCOUNTS_UNAVAILABLE },
  },
};
