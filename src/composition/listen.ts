import { docsRoutes } from "../features/docs/routes/docs-routes.js";
import { startHttpServer, type HttpServer } from "../path/front/server.js";
import { composeAdmission } from "./admission.js";
import type { Built } from "./feature-parts.js";
import type { Features } from "./features.js";
import { observerOfRoutes } from "./tracing.js";

/** The last phase of a start: opens the listener of /metrics, and then the listener of the API. */
export async function listen(
  { node, database, persistence }: Built,
  { routes, metricsPage, requestLog, tracer, attempt }: Features,
): Promise<{ server: HttpServer; metricsServer: HttpServer }> {
  const { settings, metrics, log, closers, replica, cache } = node;
  const shared = {
    ...composeAdmission({
      settings,
      database: database.pool,
      attempt,
      keys: persistence.copies.keys,
      replica,
      cache,
      onRateLimited: metrics.rateLimited,
    }),
    trustProxyHops: settings.trustProxyHops,
    observerOf: metrics.httpObserver,
    nextRequestId: node.nextRequestId,
    onHandlerError: (error: unknown) => log.error({ err: error }, "a request handler failed"),
  };
  const metricsServer = await startHttpServer({
    ...shared,
    host: settings.metricsHost,
    port: settings.metricsPort,
    routes: [metricsPage],
  });
  closers.push(() => metricsServer.stop(0));
  const server = await startHttpServer({
    ...shared,
    observerOf: observerOfRoutes(metrics, requestLog, tracer),
    host: settings.host,
    port: settings.port,
    routes: [...routes, ...docsRoutes([...routes, metricsPage], settings.providers)],
  });
  // Half of the grace period for peers that do not send their body. The journal needs the rest to drain.
  closers.push(() => server.stop(settings.shutdownGraceMs / 2));
  return { server, metricsServer };
}
