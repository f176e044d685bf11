import type { Grant } from "../access/grant.js";
import type { Principal } from "../access/session.js";
import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";
import type { Exchange } from "../../platform/http/exchange.js";

/**
 * The values of the path's `:parameters`, in order and still percent-encoded. For a path that ends in `*`, one value:
 * the whole path.
 */
export type PathParameters = readonly string[];

/**
 * The answer if a dashboard session repeats a request with the same `Idempotency-Key`. `replay`: the first answer.
 * `again`: the route runs again, because it changes nothing or repeats the same change.
 */
export type OnRepeat = "replay" | "again";

/** Only a POST must set `onRepeat`. Routes with other methods are idempotent unless they set it. */
type Method =
  | { method: "POST"; onRepeat: OnRepeat }
  | { method: "GET" | "PUT" | "PATCH" | "DELETE"; onRepeat?: OnRepeat };

interface RouteBase {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A uWebSockets.js pattern. It is also the `route` label of the metrics. */
  path: string;
  /** The query parameters that the route reads. All others are refused, except `mode` if a scope admits sessions. */
  query?: readonly string[];
}

/** A route that is open to anyone. */
export interface PublicRoute extends RouteBase {
  access: "public";
  /** How its work shares the front thread with decisions (`front-lines.ts`). */
  line?: "slices";
  /**
   * By default the server refuses unknown query parameters before it calls the handler. `handler`: the handler refuses
   * them, after its own check of credentials. `nobody`: they are ignored. This is for a page, its files and the text
   * for Prometheus.
   */
  refusesUnknownQuery?: "handler" | "nobody";
  handle(exchange: Exchange, params: PathParameters): void | Promise<void>;
}

/**
 * A route that is open to anyone, but limited for each source address, because passwords and invitations can be tried
 * there.
 */
export interface AttemptRoute extends RouteBase {
  access: "attempt";
  /** The most bytes of the JSON body. Null if the route takes no body (ERR-20). */
  bodyBytesMax: number | null;
  /**
   * `nobody` is for a redirect through the browser, to which the identity provider may add parameters (RFC 6749
   * §4.1.2).
   */
  refusesUnknownQuery?: "nobody";
  /** `source` is the request's source, as limits count it. */
  handle(exchange: Exchange, body: string, source: string): void | Promise<void>;
}

/** A route for an API key with a scope, or for a dashboard session whose role has that scope (AUTH-13). */
interface ScopedParts extends RouteBase {
  access: { scope: Scope };
  /** The most bytes of the JSON body. Null if the route takes no body (ERR-20). */
  bodyBytesMax: number | null;
  /**
   * How the route's work shares the front thread with decisions (`front-lines.ts`). Large bodies take turns in any
   * case.
   */
  line?: "turns" | "slices";
  /** `body` is the decoded text, or `""` without a body. */
  handle(exchange: Exchange, grant: Grant, params: PathParameters, body: string): void | Promise<void>;
}
export type ScopedRoute = ScopedParts & Method;

/** A route for dashboard sessions of the given roles, or for the platform's administrator whatever the role. */
interface SessionParts extends RouteBase {
  access: { roles: readonly Role[] } | { platformAdmin: true };
  /** AUTH-36: true if the route is also open to a person who must first enrol one-time codes. */
  opensBeforeCodes?: true;
  /** ERR-20: true if a request without a body counts as one with `{}`. */
  bodyIsOptional?: true;
  /** The most bytes of the JSON body. Null if the route takes no body (ERR-20). */
  bodyBytesMax: number | null;
  handle(
    exchange: Exchange,
    principal: Principal,
    params: PathParameters,
    body: string,
  ): void | Promise<void>;
}
export type SessionRoute = SessionParts & Method;

export type Route = PublicRoute | AttemptRoute | ScopedRoute | SessionRoute;

/** ERR-20: true if the route takes no body, or a request of it may leave the body out. */
export function mayLackBody(route: AttemptRoute | ScopedRoute | SessionRoute): boolean {
  return route.bodyBytesMax === null || ("bodyIsOptional" in route && route.bodyIsOptional);
}

export function isScopedRoute(route: ScopedRoute | SessionRoute): route is ScopedRoute {
  return "scope" in route.access;
}
