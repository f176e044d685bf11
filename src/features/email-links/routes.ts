import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import type { AttemptRoute, Route, SessionRoute } from "../../path/front/route.js";
import { ACCOUNTS_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import type { EmailLinks } from "./service.js";
import type { AcceptedBody, EmailStateBody } from "./wire/email-link-response-schema.js";
import { addressProofValidator, forgottenPasswordValidator } from "./wire/email-link-schema.js";

const REFUSALS = {
  unavailable: ACCOUNTS_UNAVAILABLE,
  no_mail: { kind: "conflict", message: "This deployment sends no mail" },
  proved: { kind: "conflict", message: "The address is proved already" },
  too_soon: { kind: "conflict", message: "A letter was sent less than a minute ago" },
  gone: { kind: "invalid_session" },
} as const satisfies Record<string, ApiError>;

const ACCEPTED = JSON.stringify({ accepted: true } satisfies AcceptedBody);

/**
 * The routes that send letters, and the routes that the links of letters lead to. `hasMail` means that SMTP_URL is set.
 */
export function emailLinkRoutes(links: EmailLinks, hasMail: boolean): Route[] {
  return [
    forgotPasswordRoute(links.forgot),
    emailStateRoute(links.state, hasMail),
    sendProofRoute(links.sendProof),
    proveRoute(links.prove),
  ];
}

/** POST /v1/auth/forgot-password: 202 for every address. */
function forgotPasswordRoute(forgot: EmailLinks["forgot"]): AttemptRoute {
  return {
    method: "POST",
    path: "/v1/auth/forgot-password",
    access: "attempt",
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, text) {
      const parsed = forgottenPasswordValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await forgot(parsed.value.email);
      if (result !== "accepted") return exchange.fail(REFUSALS[result]);
      exchange.send(202, ACCEPTED);
    },
  };
}

/** GET /v1/auth/email */
function emailStateRoute(state: EmailLinks["state"], hasMail: boolean): SessionRoute {
  return {
    method: "GET",
    path: "/v1/auth/email",
    access: { roles: ROLES },
    bodyBytesMax: null,
    async handle(exchange, principal) {
      const found = await state(principal);
      if (found === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (found === null) return exchange.fail(REFUSALS.gone);
      const verifiedAt = found.verifiedAt?.toISOString() ?? null;
      const body = { email: found.email, verified_at: verifiedAt, mail: hasMail };
      exchange.send(200, JSON.stringify(body satisfies EmailStateBody));
    },
  };
}

/** POST /v1/auth/email/send-proof */
function sendProofRoute(sendProof: EmailLinks["sendProof"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "again",
    path: "/v1/auth/email/send-proof",
    access: { roles: ROLES },
    bodyBytesMax: null,
    async handle(exchange, principal) {
      const result = await sendProof(principal);
      if (result !== "accepted") return exchange.fail(REFUSALS[result]);
      exchange.send(202, ACCEPTED);
    },
  };
}

/** POST /v1/auth/email/prove */
function proveRoute(prove: EmailLinks["prove"]): AttemptRoute {
  return {
    method: "POST",
    path: "/v1/auth/email/prove",
    access: "attempt",
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, text) {
      const parsed = addressProofValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const result = await prove(parsed.value.token);
      if (result === "unavailable") return exchange.fail(ACCOUNTS_UNAVAILABLE);
      if (result === "unknown")
        return exchange.fail({ kind: "not_found", message: "Address proof not found" });
      exchange.sendNoContent();
    },
  };
}
