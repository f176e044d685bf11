import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { OidcError } from "../../domain/vocabulary/vocabulary.js";
import type { AttemptRoute, PublicRoute, Route } from "../../path/front/route.js";
import { presentedSession } from "../../path/front/session-credentials.js";
import { isPlainHttpDevelopment, sessionCookie } from "../../path/front/session-cookie.js";
import { ACCOUNTS_UNAVAILABLE, type ApiError, type ExtraHeaders } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { Query } from "../../platform/http/query.js";
import {
  deviceOf,
  sendSignedIn,
  TOO_MANY_FAILURES,
  type AccountSettings,
  type Showing,
} from "../accounts/service.js";
import type { FlowCookie } from "./flow-cookie.js";
import { CALLBACK_PATH } from "./identity-provider.js";
import type { Oidc } from "./service.js";
import { nextParameter, oidcCodeValidator } from "./wire.js";

export interface OidcRoutesParts {
  /** Null if no identity provider is configured. The routes then answer 404. */
  oidc: { service: Oidc; cookie: FlowCookie } | null;
  accountSettings: AccountSettings;
  onResult(result: "signed_in" | "code_required" | OidcError): void;
}

const SIGN_IN_PAGE = "/dashboard/sign-in";
const NO_BODY = "text/plain; charset=utf-8";
/** Browsers name `text/html` when they open a page. API clients do not. */
const TAKES_A_PAGE = /\btext\/html\b/i;

const OFF: ApiError = { kind: "not_found", message: "Single sign-on is not set up" };
const PROVIDER_UNAVAILABLE: ApiError = {
  kind: "unavailable",
  message: "The identity provider does not answer right now",
};

/** AUTH-24: the routes by which people sign in with an identity provider. */
export function oidcRoutes(parts: OidcRoutesParts): Route[] {
  return [startRoute(parts), callbackRoute(parts), codeRoute(parts)];
}

function sendTo(exchange: Exchange, location: string, headers: ExtraHeaders): void {
  exchange.send(302, "", [["location", location], ...headers], NO_BODY);
}

/** The address of the sign-in page. Its query tells the page the result of the sign-in. */
function pageFor(result: Readonly<Record<string, string>>, next: string | null): string {
  const query = new URLSearchParams({ ...result, ...(next === null ? {} : { next }) });
  return `${SIGN_IN_PAGE}?${query.toString()}`;
}

const showingOf = ({ head }: Exchange, source: string): Showing => ({
  source,
  presentedToken: presentedSession(head)?.token ?? null,
  device: deviceOf(head.userAgent),
});

/** GET /v1/auth/oidc/start: 302 to the identity provider. */
function startRoute({ oidc, accountSettings, onResult }: OidcRoutesParts): PublicRoute {
  return {
    method: "GET",
    path: "/v1/auth/oidc/start",
    access: "public",
    query: ["next"],
    async handle(exchange) {
      if (oidc === null) return exchange.fail(OFF);
      const query = new Query(exchange.head.query);
      const next = query.matching("next", nextParameter);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const begun = await oidc.service.begin(next);
      const vary = ["vary", "accept"] as const;
      if (begun === "unavailable") {
        onResult("provider_unavailable");
        if (!TAKES_A_PAGE.test(exchange.head.accept ?? "")) return exchange.fail(PROVIDER_UNAVAILABLE);
        return sendTo(exchange, pageFor({ error: "provider_unavailable" }, next), [vary]);
      }
      const isSecure = !isPlainHttpDevelopment(accountSettings, exchange.head);
      sendTo(exchange, begun.location, [oidc.cookie.header(begun.cookie, isSecure), vary]);
    },
  };
}

/** GET /v1/auth/oidc/callback: 302 to the dashboard, whatever the result. */
function callbackRoute({ oidc, accountSettings, onResult }: OidcRoutesParts): AttemptRoute {
  return {
    method: "GET",
    path: CALLBACK_PATH,
    access: "attempt",
    bodyBytesMax: null,
    refusesUnknownQuery: "nobody",
    async handle(exchange, _body, source) {
      if (oidc === null) return exchange.fail(OFF);
      const { service, cookie } = oidc;
      const { head } = exchange;
      const result = await service.admit(head.query, head.cookie, showingOf(exchange, source));
      const isSecure = !isPlainHttpDevelopment(accountSettings, head);
      const { next } = result;
      onResult(result.kind === "failed" ? result.error : result.kind);
      switch (result.kind) {
        case "failed":
          return sendTo(exchange, pageFor({ error: result.error }, next), [cookie.header(null, isSecure)]);
        case "code_required":
          return sendTo(exchange, pageFor({ sso: "code_required" }, next), [
            cookie.header(result.cookie, isSecure),
          ]);
        case "signed_in":
          return sendTo(exchange, pageFor({ sso: "signed_in" }, next), [
            ["set-cookie", sessionCookie(result.signedIn.session.token, isSecure)],
            cookie.header(null, isSecure),
          ]);
      }
    },
  };
}

/** POST /v1/auth/oidc/one-time-code: 200 with the answer of a sign-in by password. */
function codeRoute({ oidc, accountSettings, onResult }: OidcRoutesParts): AttemptRoute {
  return {
    method: "POST",
    path: "/v1/auth/oidc/one-time-code",
    access: "attempt",
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, text, source) {
      if (oidc === null) return exchange.fail(OFF);
      const parsed = oidcCodeValidator.parse(text);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { service, cookie } = oidc;
      const { head } = exchange;
      const result = await service.enterWithCode(parsed.value.code, head.cookie, showingOf(exchange, source));
      switch (result) {
        case "unavailable":
          return exchange.fail(ACCOUNTS_UNAVAILABLE);
        case "too_many_failures":
          return exchange.fail(TOO_MANY_FAILURES);
        case "not_begun":
          return exchange.fail({ kind: "conflict", message: "No sign-in waits for a code: begin again" });
        case "linked_otherwise":
          return exchange.fail({
            kind: "conflict",
            message: "This account is linked to another identity of the provider",
          });
        case "wrong_code":
        case "no_membership":
        case "inactive_tenant":
          return exchange.fail({ kind: result });
        default: {
          onResult("signed_in");
          const isSecure = !isPlainHttpDevelopment(accountSettings, head);
          return sendSignedIn(exchange, 200, result, accountSettings, [cookie.header(null, isSecure)]);
        }
      }
    },
  };
}
