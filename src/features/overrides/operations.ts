import type { Operations } from "../../platform/wire/operation.js";
import { cursors, modeOfSession, providerInPath } from "../../platform/wire/parameters.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { drillHistorySchema, drillPageSizeParameter } from "./wire/drill-history-response-schema.js";
import { providerOverridesSchema } from "./wire/override-response-schema.js";
import { overrideSchema } from "./wire/override-schema.js";

/** The operations on pins. A pin fixes the health that a workspace sees for a provider. */
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
  "GET /v1/admin/provider-overrides/history": {
    operationId: "listDrills",
    tag: "Administration",
    summary: "Past and present drills, with what each did to traffic",
    description:
      "The drills that held in a mode. Each has the decisions of its time, and of the time just before that is as long.",
    query: {
      page_size: { schema: drillPageSizeParameter, description: "Drills of a page." },
      ...cursors(idSchema("aud"), "drill"),
      mode: modeOfSession,
    },
    answers: { 200: { description: "One page, newest first.", schema: drillHistorySchema } },
  },
};
