import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { roleHasScope } from "../../../path/access/role-scopes.js";
import type { Route } from "../../../path/front/route.js";
import { ROLES } from "../../../domain/vocabulary/vocabulary.js";
import { ownFile } from "../../../platform/node/own-files.js";
import type { DocumentedRoute, Examples } from "../../../platform/wire/operation.js";
import { docsFileRoutes } from "./docs-files.js";
import { OPENAPI_PATH, openApiRoute } from "./openapi.js";

/** Pages and their files are for browsers, so the API's document leaves them out. */
const PAGES = /^\/(?:$|dashboard(?:\/|$))/;

/** Serves the description of `routes` as a document and as a page. The first request for one of them loads it. */
export function docsRoutes(routes: readonly Route[], providers: readonly string[]): Route[] {
  const documented: DocumentedRoute[] = [
    ...routes.filter(({ path }) => !PAGES.test(path)),
    { method: "GET", path: OPENAPI_PATH, access: "public" },
  ];
  const document = async (): Promise<object> => {
    const { buildDocument } = await import("../document.js");
    // Building begins in a new turn of the event loop, so that decisions can run between loading and building.
    await nextTurn();
    return buildDocument({
      routes: documented,
      providers,
      version: await packageVersion(),
      rolesWith: (scope) => ROLES.filter((role) => roleHasScope(role, scope)),
      examples: await recordedExamples(),
    });
  };
  return [openApiRoute(document), ...docsFileRoutes()];
}

async function packageVersion(): Promise<string> {
  const text = await readFile(ownFile("package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** The build joins the examples of all subjects into one file. */
async function recordedExamples(): Promise<Examples> {
  return JSON.parse(await readFile(ownFile("docs/examples.json"), "utf8")) as Examples;
}
