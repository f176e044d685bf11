import {
  App,
  closeListener,
  listenExclusively,
  localPort,
  removeBanner,
  type HttpRequest,
  type HttpResponse,
} from "../../platform/http/uws.js";
import type { Admit } from "./admission.js";
import type { ApiError } from "../../platform/http/api-error.js";
import type { AdmitAttempt } from "./attempt-admission.js";
import { Exchange, type ExchangeObserver, type ExchangeOwner } from "../../platform/http/exchange.js";
import { withFrontLines } from "./front-lines.js";
import { KeptAnswers } from "../../platform/http/kept-answers.js";
import { unknownParameters } from "./head-refusal.js";
import { readRequestHead } from "../../platform/http/request-head.js";
import { isScopedRoute, type PathParameters, type PublicRoute, type Route } from "./route.js";
import type { AdmitSession } from "./session-admission.js";
import { sourceAddress } from "../../platform/http/source-address.js";
import type { UnwrittenId } from "../../domain/ids/ids.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

export interface HttpServerOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  routes: readonly Route[];
  admit: Admit;
  admitSession: AdmitSession;
  admitAttempt: AdmitAttempt;
  /** TRUST_PROXY_HOPS */
  trustProxyHops: number;
  /** Returns the observer of one route's answers, by the route's pattern. The method is null if no route matches. */
  observerOf(route: string, method: Route["method"] | null): ExchangeObserver;
  /** Makes an id for a request without one. */
  nextRequestId(): UnwrittenId;
  /** Called if a handler throws or rejects, which is a bug. The server answers 500. */
  onHandlerError(error: unknown, exchange: Exchange): void;
}

export interface HttpServer {
  port: number;
  routes: readonly Route[];
  /**
   * Stops accepting connections, answers running requests, and asks keep-alive peers to leave. It closes when no
   * request has been running for a moment, or `deadlineMs` from now.
   */
  stop(deadlineMs: number): Promise<void>;
}

/** The server cannot listen on the port. The message is one line for the operator. */
export class ListenError extends Error {}

type Serve = (exchange: Exchange, req: HttpRequest) => void | Promise<void>;

const UNMATCHED = "unmatched";
const NO_PARAMETERS: PathParameters = [];
const APP_METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "del" } as const;
/**
 * How long no request must run before the server closes. In this time, requests in socket buffers still get an answer.
 */
const QUIET_BEFORE_CLOSE_MS = 150;

/**
 * Binds the routes to a uWebSockets.js app. Its callbacks must not throw, because an exception would end the process.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  removeBanner();
  const app = App();
  let inFlight = 0;
  let stopping = false;
  let lastActiveMs = performance.now();

  const settled = (): void => {
    inFlight--;
    if (stopping) lastActiveMs = performance.now();
  };
  const isLastOnConnection = (): boolean => stopping;
  const keptAnswers = new KeptAnswers(TUNING.keptAnswerBytesMax);
  let bodiless = 0;
  const isLastBodiless = (): boolean => stopping || ++bodiless % TUNING.bodilessAnswersMax === 0;

  /** Makes the function that opens the exchanges of one route. */
  const opener = (route: string, method: Route["method"] | null) => {
    const { onHandlerError } = options;
    const observe = options.observerOf(route, method);
    const owner: ExchangeOwner = {
      observe,
      settled,
      onHandlerError,
      isLastOnConnection,
      isLastBodiless,
      keptAnswers,
    };
    return (res: HttpResponse, req: HttpRequest, isHead: boolean): Exchange => {
      inFlight++;
      const head = readRequestHead(req);
      return new Exchange(res, head, options.nextRequestId(), isHead, owner);
    };
  };

  /** Makes the function that uWebSockets.js calls for each request of one route. */
  const handlerOf = (label: string, method: Route["method"] | null, serve: Serve) => {
    const open = opener(label, method);
    return (res: HttpResponse, req: HttpRequest, isHead: boolean): void => {
      const exchange = open(res, req, isHead);
      exchange.head.query = req.getQuery() ?? "";
      try {
        if (exchange.head.wellFramed) exchange.handled(serve(exchange, req));
        else exchange.fail({ kind: "bad_framing" });
      } catch (error) {
        exchange.handlerFailed(error);
      }
    };
  };

  for (const route of withFrontLines(options.routes)) {
    const parameters = route.path.split("/").filter((segment) => segment.startsWith(":")).length;
    const isWildcard = route.path.endsWith("*");
    const isScoped = route.access !== "public" && route.access !== "attempt" && isScopedRoute(route);
    const serve = (exchange: Exchange, req: HttpRequest): void | Promise<void> => {
      const params = isWildcard
        ? [req.getUrl()]
        : parameters === 0
          ? NO_PARAMETERS
          : readParameters(req, parameters);
      if (route.access === "public") return servePublic(route, exchange, params);
      if (route.access === "attempt") {
        const { forwardedFor } = exchange.head;
        const address = sourceAddress(exchange.peerAddress(), forwardedFor, options.trustProxyHops);
        return options.admitAttempt(route, exchange, address);
      }
      if (!isScoped) return options.admitSession(route, exchange, params);
      return options.admit(route, exchange, params);
    };
    const handle = handlerOf(route.path, route.method, serve);
    app[APP_METHODS[route.method]](route.path, (res, req) => handle(res, req, false));
    if (route.method === "GET") app.head(route.path, (res, req) => handle(res, req, true));
  }

  const refuse = (path: string, label: string, error: ApiError): void => {
    const handle = handlerOf(label, null, (exchange) => exchange.fail(error));
    app.any(path, (res, req) => handle(res, req, req.getMethod() === "head"));
  };
  for (const [path, allow] of allowedMethods(options.routes)) {
    refuse(path, path, { kind: "method_not_allowed", allow });
  }
  refuse("/*", UNMATCHED, { kind: "not_found", message: "Route not found" });

  const socket = await listenExclusively(app, options.host, options.port);
  if (!socket) {
    throw new ListenError(
      `cannot listen on ${options.host}:${options.port}: the address is in use or not ours`,
    );
  }
  return {
    port: localPort(socket),
    routes: options.routes,
    async stop(deadlineMs) {
      stopping = true;
      closeListener(socket);
      const deadline = performance.now() + deadlineMs;
      lastActiveMs = performance.now();
      while (performance.now() < deadline) {
        if (inFlight === 0 && performance.now() - lastActiveMs > QUIET_BEFORE_CLOSE_MS) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      app.close();
    },
  };
}

/** Calls each of `observers`, in order. */
export function inTurn(observers: readonly ExchangeObserver[]): ExchangeObserver {
  return (status, seconds, exchange) => {
    for (const observe of observers) observe(status, seconds, exchange);
  };
}

function servePublic(route: PublicRoute, exchange: Exchange, params: PathParameters): void | Promise<void> {
  const unknown = route.refusesUnknownQuery === undefined ? unknownParameters(route, exchange) : null;
  return unknown === null ? route.handle(exchange, params) : exchange.fail(unknown);
}

function readParameters(req: HttpRequest, count: number): string[] {
  return Array.from({ length: count }, (_, index) => req.getParameter(index) ?? "");
}

/** The methods that are allowed on each path. A GET route answers HEAD too. */
function allowedMethods(routes: readonly Route[]): Map<string, string> {
  const methods = new Map<string, string>();
  for (const { path, method } of routes) {
    const own = method === "GET" ? "GET, HEAD" : method;
    const before = methods.get(path);
    methods.set(path, before === undefined ? own : `${before}, ${own}`);
  }
  return methods;
}
