import type { Operations } from "../../platform/wire/operation.js";
import { providerInPath } from "../../platform/wire/parameters.js";
import { providerOverridesSchema } from "./wire/override-response-schema.js";
import { overrideSchema } from "./wire/override-schema.js";

/** The operations on pins. A pin fixes what a workspace sees of a provider. */
export const OVERRIDE_OPERATIONS: Operations = {
  "PUT /v1/admin/provider-overrides/:provider": {
    operationId: "overrideProvider",
    tag: "Administration",
    summary: "Pin what the workspace sees of a provider, or lift a pin",
    description:
      "A drill, or taking a provider out by hand. A pin replaces those it covers; `state: null` lifts the one of the same payment_method, currency and mode, and no narrower one. Holds within a second, until it is lifted or its time is over.",
    path: { provider: providerInPath("A provider of the deployment.") },
    body: overrideSchema,
    answers: { 200: { description: "What is pinned now.", schema: providerOverridesSchema } },
    refuses: { 404: "Unknown provider." },
  },
};
