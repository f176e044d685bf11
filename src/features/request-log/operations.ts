import type { Operations } from "../../platform/wire/operation.js";
import { cursors, modeOfSession } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema } from "../../platform/wire/scalars.js";
import { requestErrorParameter, requestLogSchema, requestStatusParameter } from "./wire.js";

export const REQUEST_LOG_OPERATIONS: Operations = {
  "GET /v1/request-log": {
    operationId: "listRequests",
    tag: "API keys",
    summary: "The last requests by API key, newest first",
    description:
      "The last 1,000 requests of the workspace in one mode, as far as this node's memory reaches. A restart empties it. It holds no bodies, no query and no values.",
    query: {
      mode: modeOfSession,
      status: {
        schema: requestStatusParameter,
        description: "A class such as 4xx, or one status such as 404.",
      },
      code: {
        schema: requestErrorParameter,
        description: "Only requests that were refused for this reason.",
      },
      page_size: { schema: pageSizeParameter, description: "Requests of a page." },
      ...cursors(idSchema("rlog"), "request"),
    },
    answers: { 200: { description: "One page.", schema: requestLogSchema } },
  },
};
