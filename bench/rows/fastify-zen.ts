import { serveFastify } from "./fastify-server.js";
import { rivalDecision } from "./rival-decision.js";
import { BENCH_RULES } from "./rival-policy.js";
import { createZenPolicy } from "./zen-policy.js";

/** Row (e): Fastify with the policy as a ZEN decision table. Nothing is stored. */
const matchingRules = createZenPolicy(BENCH_RULES);

await serveFastify(
  async (request, receivedMs) => rivalDecision(request, await matchingRules(request), receivedMs),
  async () => {},
);
