import type { Grant } from "../access/grant.js";
import type { Principal } from "../access/session.js";
import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";
import type { Exchange } from "../../platform/http/exchange.js";

/** Values of the path's `:parameters`, in order, still percent-encoded; of a path that ends in `*`, the whole path. */
export type PathParameters = readonly string[];

/**
 * What a dashboard session's second request with one `Idempotency-Key` gets: the first one's answer, or what the route
 * makes of it, where that changes nothing or is the same change.
 */
export type OnRepeat = "replay" | "again";

/** Only a POST must say so: the other methods are idempotent, unless their route says otherwise. */
type Method =
  | { method: "POST"; onRepeat: OnRepeat }
  | { method: "GET" | "PUT" | "PATCH" | "DELETE"; onRepeat?: OnRepeat };

interface RouteBase {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A uWebSockets.js pattern; also the `route` label of the metrics. */
  path: string;
  /** The query parameters it reads; where a scope lets sessions in, `mode` is one beside them. Any other is refused. */
  query?: readonly string[];
}

/** Open to anyone. */
export interface PublicRoute extends RouteBase {
  access: "public";
  /** How its work shares the front thread with decisions (`front-lines.ts`). */
  line?: "slices";
  /**
   * Who refuses unknown query parameters: the server before it asks the handler, unless this says otherwise. `handler`: it
   * does so itself, behind its own checks of who asks. `nobody`: a page, a file of one or the text for Prometheus.
   */
  refusesUnknownQuery?: "handler" | "nobody";
  handle(exchange: Exchange, params: PathParameters): void | Promise<void>;
}

/** Open to anyone, but only so often a minute per source address: where passwords and invitations can be tried. */
export interface AttemptRoute extends RouteBase {
  access: "attempt";
  /** Bytes of the JSON body it takes. */
  bodyBytesMax: number;
  /** `source`: where the request comes from, as limits count it. */
  handle(exchange: Exchange, body: string, source: string): void | Promise<void>;
}

/** For an API key with a scope, or a dashboard session whose role maps to it (AUTH-13). */
interface ScopedParts extends RouteBase {
  access: { scope: Scope };
  /** Bytes of the JSON body it takes, or null for none. */
  bodyBytesMax: number | null;
  /** How its work shares the front thread with decisions (`front-lines.ts`); large bodies take turns in any case. */
  line?: "turns" | "slices";
  /** `body` is the decoded text, `""` without a body. */
  handle(exchange: Exchange, grant: Grant, params: PathParameters, body: string): void | Promise<void>;
}
export type ScopedRoute = ScopedParts & Method;

/** For a dashboard session of certain roles, or for the platform's administrator whatever the role. */
interface SessionParts extends RouteBase {
  access: { roles: readonly Role[] } | { platformAdmin: true };
  /** Bytes of the JSON body it takes, or null for none. */
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

export function isScopedRoute(route: ScopedRoute | SessionRoute): route is ScopedRoute {
  return "scope" in route.access;
}
