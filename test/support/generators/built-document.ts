import { readFileSync } from "node:fs";
import { buildDocument, type DocumentedRoute } from "../../../src/features/docs/document.js";
import { documentedOperations } from "../../../src/features/docs/documented-operations.js";
import { requestSchemas } from "../../../src/features/docs/request-schemas.js";
import { ownFile } from "../../../src/platform/node/own-files.js";
import type { Examples } from "../../../src/platform/wire/operation.js";

interface BuiltOperation {
  operationId: string;
  description: string;
  requestBody?: { content: { "application/json": { schema: object; example: unknown } } };
}

export interface BuiltDocument {
  info: { description: string };
  paths: Readonly<Record<string, Readonly<Record<string, BuiltOperation>>>>;
  components: { schemas: Readonly<Record<string, object>> };
}

/** The OpenAPI document, built without a service. It knows no routes of a service, so each operation counts as public. */
export function builtDocument(providers: readonly string[]): BuiltDocument {
  const routes = Object.keys(documentedOperations(requestSchemas(providers))).map((key): DocumentedRoute => {
    const [method, path] = key.split(" ") as [DocumentedRoute["method"], string];
    return { method, path, access: "public" };
  });
  const examples = JSON.parse(readFileSync(ownFile("docs/examples.json"), "utf8")) as Examples;
  const source = { routes, providers, version: "0.0.0", rolesWith: () => [], examples };
  const document: unknown = buildDocument(source);
  // The document is sent as JSON text, so undefined members disappear.
  return JSON.parse(JSON.stringify(document)) as BuiltDocument;
}

/** Each operation with a body: the pointer to the body's schema, its description and its example. */
export function bodiesOf({ paths }: BuiltDocument): {
  operationId: string;
  pointer: string;
  description: string;
  example: unknown;
}[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, description, requestBody }]) => {
      if (requestBody === undefined) return [];
      const { example } = requestBody.content["application/json"];
      const steps = ["paths", path, method, "requestBody", "content", "application/json", "schema"];
      return [{ operationId, pointer: pointerTo(steps), description, example }];
    }),
  );
}

/** A JSON pointer in the form of a URI fragment. */
export function pointerTo(steps: readonly string[]): string {
  return `#/${steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}
