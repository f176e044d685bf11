import assert from "node:assert/strict";
import type { PublicRoute } from "../../../src/path/front/route.js";
import { startHttpServer, type HttpServer } from "../../../src/path/front/server.js";
import { nextRequestId } from "./request-ids.js";

/** A server in this process with routes that need no credentials. `onAnswer` receives each answer's status. */
export function startPublicServer(
  routes: readonly PublicRoute[],
  onAnswer: (status: number) => void = () => undefined,
): Promise<HttpServer> {
  const refuse = (): never => assert.fail("a public route asks nobody");
  return startHttpServer({
    host: "127.0.0.1",
    port: 0,
    routes,
    admit: refuse,
    admitSession: refuse,
    admitAttempt: refuse,
    trustProxyHops: 0,
    observerOf: () => (status) => onAnswer(status),
    nextRequestId,
    onHandlerError: (error) => assert.fail(String(error)),
  });
}
