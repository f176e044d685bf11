import type { ApiKeyGrant, Authentication } from "../access/grant.js";
import type { CheckKey } from "../access/api-key-cache.js";
import { refusalOfStatus } from "./status-refusal.js";
import type { Scope } from "../../domain/vocabulary/vocabulary.js";
import type { RateWindow } from "../access/rate-window.js";
import { decodeUtf8 } from "../../platform/wire/body-validator.js";
import type { ApiError } from "../../platform/http/api-error.js";
import { readBody, type BodyReceiver } from "../../platform/http/body-reader.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { refusalOfHead } from "./head-refusal.js";
import { keyRefusal } from "./key-refusal.js";
import type { PathParameters, ScopedRoute } from "./route.js";
import type { AdmitSession } from "./session-admission.js";
import { beginWholeBody, INVALID_UTF8, type WholeBody } from "./whole-body.js";

export interface AdmissionDependencies {
  authenticate: CheckKey;
  /** The source of a request, as limits count it. */
  sourceOf(exchange: Exchange): string;
  /** Admits requests that present no key. It checks whether they present a session. */
  admitSession: AdmitSession;
  rateWindow: RateWindow;
  /** Unix milliseconds. */
  now(): number;
  onRateLimited(): void;
}

/**
 * HTTP-2: admission to a route that needs a scope. The checks are, in this order: credentials, workspace and scope,
 * rate limit, query, body. A cached key needs no promise. If a request presents both a key and a session, only the key
 * counts.
 */
export function createAdmission(dependencies: AdmissionDependencies) {
  const { authenticate, sourceOf, admitSession, rateWindow, now, onRateLimited } = dependencies;

  /** The checks between the credentials and the rate limit. */
  const check = (route: ScopedRoute, exchange: Exchange, result: Authentication): ApiError | null => {
    if (typeof result === "string") return keyRefusal(result);
    exchange.caller = result;
    const { scope } = route.access;
    if (result.workspaceStatus !== "active" && !isArrivingDecision(result, scope))
      return refusalOfStatus(result.workspaceStatus);
    return result.scopes.has(scope) ? null : { kind: "missing_scope", credential: "API key", scope };
  };

  const failRateLimited = (exchange: Exchange): void => {
    onRateLimited();
    exchange.fail({ kind: "rate_limited", limitPerMinute: rateWindow.limitPerMinute });
  };

  const admitLater = async (
    route: ScopedRoute,
    exchange: Exchange,
    params: PathParameters,
    authenticating: Promise<Authentication>,
  ): Promise<void> => {
    const wholeBody = beginWholeBody(exchange, route);
    const result = await authenticating;
    const error = check(route, exchange, result);
    if (error !== null || typeof result === "string")
      return error === null ? undefined : exchange.fail(error);
    return admitCounted(route, exchange, result, params, rateWindow.take(result.actor, now()), wholeBody);
  };

  const admitCounted = async (
    route: ScopedRoute,
    exchange: Exchange,
    grant: ApiKeyGrant,
    params: PathParameters,
    counting: boolean | Promise<boolean>,
    wholeBody: WholeBody,
  ): Promise<void> => {
    if (!(await counting)) return failRateLimited(exchange);
    const refusal = refusalOfHead(route, exchange);
    if (refusal !== null) return exchange.fail(refusal);
    return handleWhole(route, exchange, grant, params, wholeBody);
  };

  /** Checks a request and then calls the handler of its route. */
  return function admit(
    route: ScopedRoute,
    exchange: Exchange,
    params: PathParameters,
  ): void | Promise<void> {
    const presented = exchange.head.apiKey;
    if (presented === undefined) return admitSession(route, exchange, params);
    const nowMs = now();
    const result = authenticate(presented, nowMs, () => sourceOf(exchange));
    if (result instanceof Promise) return admitLater(route, exchange, params, result);
    const error = check(route, exchange, result);
    if (error !== null || typeof result === "string")
      return error === null ? undefined : exchange.fail(error);
    const counted = rateWindow.take(result.actor, nowMs);
    if (typeof counted !== "boolean") {
      const wholeBody = beginWholeBody(exchange, route);
      return admitCounted(route, exchange, result, params, counted, wholeBody);
    }
    if (!counted) return failRateLimited(exchange);
    const refusal = refusalOfHead(route, exchange);
    if (refusal !== null) return exchange.fail(refusal);
    if (route.bodyBytesMax === null) {
      if (route.method === "GET") return route.handle(exchange, result, params, "");
      return handleWhole(route, exchange, result, params, beginWholeBody(exchange, route));
    }
    return readBody(exchange, route.bodyBytesMax, new Admitted(route, exchange, result, params));
  };
}

export type Admit = ReturnType<typeof createAdmission>;

/** CELL-7: true for a decision or an outcome of a workspace that is still arriving. Neither waits for the arrival. */
function isArrivingDecision({ workspaceStatus }: ApiKeyGrant, scope: Scope): boolean {
  return workspaceStatus === "arriving" && (scope === "decision:write" || scope === "outcome:write");
}

async function handleWhole(
  route: ScopedRoute,
  exchange: Exchange,
  grant: ApiKeyGrant,
  params: PathParameters,
  wholeBody: WholeBody,
): Promise<void> {
  const body = await wholeBody();
  if ("error" in body) return exchange.fail(body.error);
  await route.handle(exchange, grant, params, body.text);
}

/** An admitted request whose body has not arrived yet. */
class Admitted implements BodyReceiver {
  constructor(
    private readonly route: ScopedRoute,
    private readonly exchange: Exchange,
    private readonly grant: ApiKeyGrant,
    private readonly params: PathParameters,
  ) {}

  onBody(bytes: Uint8Array): void | Promise<void> {
    const body = decodeUtf8(bytes);
    if (body === null) return this.exchange.fail(INVALID_UTF8);
    return this.route.handle(this.exchange, this.grant, this.params, body);
  }

  onTooLarge(): void {
    this.exchange.fail({ kind: "body_too_large" });
  }
}
