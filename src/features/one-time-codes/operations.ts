import type { Operations } from "../../platform/wire/operation.js";
import { ACCOUNTS_UNAVAILABLE } from "../accounts/wire/signed-in.js";
import {
  confirmationSchema,
  disablingSchema,
  enrolmentSchema,
  oneTimeCodeSecretSchema,
  oneTimeCodesSchema,
  recoveryCodesSchema,
} from "./wire.js";

export const ONE_TIME_CODE_OPERATIONS: Operations = {
  "GET /v1/auth/one-time-codes": {
    operationId: "getOneTimeCodes",
    tag: "Accounts",
    summary: "Whether one signs in with one-time codes",
    answers: { 200: { description: "As it is.", schema: oneTimeCodesSchema } },
  },
  "POST /v1/auth/one-time-codes": {
    operationId: "enrolOneTimeCodes",
    tag: "Accounts",
    summary: "Get a secret for an authenticator app",
    description: "RFC 6238: SHA1, 6 digits, 30 s. Nothing asks for a code until the first one is confirmed.",
    body: enrolmentSchema,
    answers: { 201: { description: "With the secret, for the only time.", schema: oneTimeCodeSecretSchema } },
    refuses: {
      403: "The current password is not right.",
      409: "One-time codes are on already.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
  "POST /v1/auth/one-time-codes/confirm": {
    operationId: "confirmOneTimeCodes",
    tag: "Accounts",
    summary: "Turn one-time codes on, by the first one",
    body: confirmationSchema,
    answers: {
      200: { description: "On, with the recovery codes, for the only time.", schema: recoveryCodesSchema },
    },
    refuses: {
      403: "The code is not right.",
      409: "There is no secret to confirm.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
  "POST /v1/auth/one-time-codes/disable": {
    operationId: "disableOneTimeCodes",
    tag: "Accounts",
    summary: "Turn one-time codes off",
    description: "The code may be a recovery code.",
    body: disablingSchema,
    answers: { 204: { description: "Off." } },
    refuses: {
      403: "The current password or the code is not right.",
      409: "One-time codes are not on, or a workspace of yours requires them.",
      503: ACCOUNTS_UNAVAILABLE,
    },
  },
};
