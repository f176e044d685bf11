/** GET /docs: an empty page that Swagger UI fills. `build` is the folder of the page's files. */
export function docsPage(build: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>PayInference API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/${build}/swagger-ui.css">
  </head>
  <body>
    <main id="api"></main>
    <script src="/docs/${build}/swagger-ui-bundle.js"></script>
    <script src="/docs/${build}/initializer.js"></script>
  </body>
</html>
`;
}

/**
 * Starts Swagger UI in the browser. It uses no validator of another host and keeps no credential after the tab closes.
 */
export const DOCS_INITIALIZER = `window.addEventListener("load", () => {
  window.SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#api",
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    validatorUrl: null,
    queryConfigEnabled: false,
    persistAuthorization: false,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: false,
  });
});
`;

/**
 * Allows nothing from other hosts, and no script in the page itself. Style attributes are allowed, because Swagger UI
 * sets some. Data images are allowed, because its style sheet draws icons from them.
 */
export const DOCS_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
