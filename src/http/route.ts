import type { ApiKeyGrant } from "../auth/api-key-cache.js";
import type { Principal } from "../auth/session.js";
import type { Role, Scope } from "../shared/vocabulary.js";
import type { Exchange } from "./exchange.js";

/** Values of the path's `:parameters`, in order, still percent-encoded. */
export type PathParameters = readonly string[];

interface RouteBase {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A uWebSockets.js pattern; also the `route` label of the metrics. */
  path: string;
  /** Whether it looks at `exchange.head.query`. */
  readsQuery?: true;
}

/** Open to anyone. */
export interface PublicRoute extends RouteBase {
  access: "public";
  handle(exchange: Exchange, params: PathParameters): void | Promise<void>;
}

/** For an API key with a scope. */
export interface KeyRoute extends RouteBase {
  access: { scope: Scope };
  /** Bytes of the JSON body it takes, or null for none. */
  bodyBytesMax: number | null;
  /** `body` is the decoded text, `""` without a body. */
  handle(exchange: Exchange, grant: ApiKeyGrant, params: PathParameters, body: string): void | Promise<void>;
}

/** For a dashboard session of certain roles. */
export interface SessionRoute extends RouteBase {
  access: { roles: readonly Role[] };
  /** Bytes of the JSON body it takes, or null for none. */
  bodyBytesMax: number | null;
  handle(
    exchange: Exchange,
    principal: Principal,
    params: PathParameters,
    body: string,
  ): void | Promise<void>;
}

export type Route = PublicRoute | KeyRoute | SessionRoute;

export function isSessionRoute(route: KeyRoute | SessionRoute): route is SessionRoute {
  return "roles" in route.access;
}
