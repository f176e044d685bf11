import fastify from "fastify";
import type { AddressInfo } from "node:net";
import { FORMATS } from "../../src/platform/wire/body-validator.js";
import { decisionRequestSchema } from "../../src/path/wire/decision-schema.js";
import type { DecisionRequest } from "../../src/domain/vocabulary/decision-request.js";
import { DEFAULT_PROVIDERS } from "../client/traffic.js";
import { RIVAL_DECISION_SCHEMA, type RivalDecision } from "./rival-decision.js";

/**
 * The HTTP side of rows (d) and (e): Fastify as its authors advise (compiled validator and serializer, logger off),
 * with the service's own strict schema. It has no authentication, rate limit or request ids, which favours the rivals.
 */
export async function serveFastify(
  decide: (request: DecisionRequest, receivedMs: number) => Promise<RivalDecision>,
  close: () => Promise<void>,
): Promise<void> {
  const app = fastify({
    logger: false,
    ajv: {
      customOptions: {
        removeAdditional: false,
        coerceTypes: false,
        useDefaults: false,
        allErrors: false,
        formats: FORMATS,
      },
    },
  });
  app.post<{ Body: DecisionRequest }>(
    "/v1/decision",
    { schema: { body: decisionRequestSchema(DEFAULT_PROVIDERS), response: { 200: RIVAL_DECISION_SCHEMA } } },
    (request) => decide(request.body, performance.now()),
  );
  process.on("disconnect", () => {
    void app
      .close()
      .then(close)
      .finally(() => process.exit(0));
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.send?.({ port: (app.server.address() as AddressInfo).port });
}
