import { readFile } from "node:fs/promises";
import { buildDocument, type DocumentedRoute } from "../features/docs/document.js";
import { roleHasScope } from "../path/access/role-scopes.js";
import { docsRoutes } from "../features/docs/routes/docs-files.js";
import type { Route } from "../path/front/route.js";
import { OPENAPI_PATH, openApiRoute } from "../features/docs/routes/openapi.js";
import { ROLES } from "../domain/vocabulary/vocabulary.js";

/** Pages and their files are looked at, not called. */
const PAGES = /^\/(?:$|dashboard(?:\/|$))/;

/** The description of `routes` as a document and as a page. Throws when a route has no operation, or the reverse. */
export async function composeDocs(routes: readonly Route[], providers: readonly string[]): Promise<Route[]> {
  const documented: DocumentedRoute[] = [
    ...routes.filter(({ path }) => !PAGES.test(path)),
    { method: "GET", path: OPENAPI_PATH, access: "public" },
  ];
  const document = buildDocument({
    routes: documented,
    providers,
    version: await packageVersion(),
    rolesWith: (scope) => ROLES.filter((role) => roleHasScope(role, scope)),
  });
  return [openApiRoute(document), ...docsRoutes()];
}

async function packageVersion(): Promise<string> {
  const text = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
