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

/** The document of every operation there is, without a service; who may use each is not the routes' own. */
export function builtDocument(providers: readonly string[]): BuiltDocument {
  const routes = Object.keys(documentedOperations(requestSchemas(providers))).map((key): DocumentedRoute => {
    const [method, path] = key.split(" ") as [DocumentedRoute["method"], string];
    return { method, path, access: "public" };
  });
  const examples = JSON.parse(readFileSync(ownFile("docs/examples.json"), "utf8")) as Examples;
  const source = { routes, providers, version: "0.0.0", rolesWith: () => [], examples };
  const document: unknown = buildDocument(source);
  // As it is sent.
  return JSON.parse(JSON.stringify(document)) as BuiltDocument;
}

/** Where the schema of an operation's body is, and all else that is said of it. */
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

/** A JSON pointer as a fragment of a URI. */
export function pointerTo(steps: readonly string[]): string {
  return `#/${steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}
