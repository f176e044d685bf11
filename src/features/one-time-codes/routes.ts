import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import type { Route, SessionRoute } from "../../path/front/route.js";
import { presentedSession } from "../../path/front/session-credentials.js";
import { ACCOUNTS_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import type { RequestHead } from "../../platform/http/request-head.js";
import { PASSWORDS_FULL, TOO_MANY_FAILURES } from "../accounts/service.js";
import { createOneTimeCodes, type OneTimeCodes, type OneTimeCodesOptions } from "./service.js";
import {
  confirmationValidator,
  disablingValidator,
  enrolmentValidator,
  type OneTimeCodeSecretBody,
  type OneTimeCodesBody,
  type RecoveryCodesBody,
} from "./wire.js";

const REFUSALS = {
  unavailable: ACCOUNTS_UNAVAILABLE,
  full: PASSWORDS_FULL,
  too_many_failures: TOO_MANY_FAILURES,
  wrong_password: { kind: "wrong_current_password" },
  wrong_code: { kind: "wrong_code_of_session" },
  already_on: { kind: "conflict", message: "One-time codes are on already" },
  not_on: { kind: "conflict", message: "One-time codes are not on" },
  required: { kind: "conflict", message: "A workspace of yours requires one-time codes" },
  not_enrolling: { kind: "conflict", message: "There is no secret to confirm" },
  no_secret_key: {
    kind: "unavailable",
    message: "Secrets cannot be stored: SECRET_KEY is not set",
  },
} as const satisfies Record<string, ApiError>;

const tokenOf = (head: RequestHead): string | null => presentedSession(head)?.token ?? null;

/** The routes by which a person turns their one-time codes on and off. */
export function oneTimeCodeRoutes(options: OneTimeCodesOptions): Route[] {
  const codes = createOneTimeCodes(options);
  return [
    stateRoute(codes.state),
    enrolRoute(codes.enrol),
    confirmRoute(codes.confirm),
    disableRoute(codes.disable),
  ];
}

/** GET /v1/auth/one-time-codes */
function stateRoute(state: OneTimeCodes["state"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/auth/one-time-codes",
    access: { roles: ROLES },
    opensBeforeCodes: true,
    bodyBytesMax: null,
    async handle(exchange, principal) {
      const codes = await state(principal);
      if (codes === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      const body = { enabled: codes.isOn, recovery_codes_left: codes.recoveryCodesLeft };
      exchange.send(200, JSON.stringify(body satisfies OneTimeCodesBody));
    },
  };
}

/** POST /v1/auth/one-time-codes: 201. No other answer contains the secret. */
function enrolRoute(enrol: OneTimeCodes["enrol"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/auth/one-time-codes",
    access: { roles: ROLES },
    opensBeforeCodes: true,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = enrolmentValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { current_password: password } = parsed.value;
      const result = await enrol(principal, { password, presentedToken: tokenOf(exchange.head) });
      if (typeof result === "string") return exchange.fail(REFUSALS[result]);
      const body = { secret: result.secret, otpauth_uri: result.uri };
      exchange.send(201, JSON.stringify(body satisfies OneTimeCodeSecretBody));
    },
  };
}

/** POST /v1/auth/one-time-codes/confirm: 200. No other answer contains the recovery codes. */
function confirmRoute(confirm: OneTimeCodes["confirm"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/auth/one-time-codes/confirm",
    access: { roles: ROLES },
    opensBeforeCodes: true,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = confirmationValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await confirm(principal, parsed.value.code, tokenOf(exchange.head));
      if (typeof result === "string") return exchange.fail(REFUSALS[result]);
      const body = { recovery_codes: result.recoveryCodes };
      exchange.send(200, JSON.stringify(body satisfies RecoveryCodesBody));
    },
  };
}

/** POST /v1/auth/one-time-codes/disable: 204. */
function disableRoute(disable: OneTimeCodes["disable"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/auth/one-time-codes/disable",
    access: { roles: ROLES },
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = disablingValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { current_password: password, code } = parsed.value;
      const result = await disable(principal, { password, presentedToken: tokenOf(exchange.head) }, code);
      if (result !== "disabled") return exchange.fail(REFUSALS[result]);
      exchange.sendNoContent();
    },
  };
}
