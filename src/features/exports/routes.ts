import { LIMITS } from "../../domain/vocabulary/limits.js";
import { ROLES } from "../../domain/vocabulary/vocabulary.js";
import type { Route } from "../../path/front/route.js";
import { loadedOnce } from "../../platform/timing/loaded-once.js";
import type { ExportsOptions } from "./service.js";

const ACCESS = { roles: ROLES } as const;
const PATH = "/v1/exports";
const ONE = `${PATH}/:id`;

/** EXP-1 to EXP-4, EXP-12. Exports are rare, so the first request loads the handlers. */
export function exportRoutes(options: ExportsOptions): Route[] {
  const handlers = loadedOnce(async () => (await import("./handlers.js")).createHandlers(options));
  return [
    {
      method: "GET",
      path: PATH,
      access: ACCESS,
      bodyBytesMax: null,
      query: ["page_size", "starting_after", "ending_before"],
      handle: async (exchange, principal) => (await handlers()).list(exchange, principal),
    },
    {
      method: "POST",
      onRepeat: "replay",
      path: PATH,
      access: ACCESS,
      bodyBytesMax: LIMITS.smallBodyBytesMax,
      handle: async (exchange, principal, _params, body) =>
        (await handlers()).create(exchange, principal, body),
    },
    {
      method: "GET",
      path: ONE,
      access: ACCESS,
      bodyBytesMax: null,
      handle: async (exchange, principal, [id = ""]) => (await handlers()).read(exchange, principal, id),
    },
    {
      method: "DELETE",
      path: ONE,
      access: ACCESS,
      bodyBytesMax: null,
      handle: async (exchange, principal, [id = ""]) => (await handlers()).remove(exchange, principal, id),
    },
    {
      method: "GET",
      path: `${ONE}/file`,
      access: ACCESS,
      bodyBytesMax: null,
      handle: async (exchange, principal, [id = ""]) => (await handlers()).file(exchange, principal, id),
    },
  ];
}
