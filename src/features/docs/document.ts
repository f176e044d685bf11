import type { Role, Scope } from "../../domain/vocabulary/vocabulary.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { componentNames } from "./component-names.js";
import { createComponents, type Components } from "./components.js";
import { documentedOperations } from "./documented-operations.js";
import { withProviders } from "./examples.js";
import { failureExample } from "./failure-examples.js";
import { failuresOf } from "./failures.js";
import { DESCRIPTION } from "./introduction.js";
import {
  TAGS,
  type Answer,
  type DocumentedRoute,
  type Examples,
  type Operation,
  type OperationExamples,
  type Parameter,
} from "../../platform/wire/operation.js";
import { modeOfSession } from "../../platform/wire/parameters.js";
import { KEY_OF_CHANGE, REPLAYED_ANSWER_HEADERS } from "../../platform/wire/idempotency-headers.js";
import { requestSchemas } from "./request-schemas.js";
import { accessOf, accessText, SECURITY_SCHEMES, securityOf } from "./security.js";

export type { DocumentedRoute } from "../../platform/wire/operation.js";

export interface DocumentSource {
  routes: readonly DocumentedRoute[];
  /** The deployment's providers. */
  providers: readonly string[];
  /** The package's version. */
  version: string;
  /** AUTH-13: the roles whose sessions have a scope. */
  rolesWith(scope: Scope): readonly Role[];
  /**
   * The recorded examples. They name `provider_1`, `provider_2` and so on, which the document replaces with
   * `providers`.
   */
  examples: Examples;
}

/** A bug: a route has no operation, or an operation has no route. */
export class UndocumentedError extends Error {}

const NOT_RECORDED: OperationExamples = { responses: {} };
const JSON_TYPE = "application/json; charset=utf-8";
type Json = Readonly<Record<string, unknown>>;

/**
 * OpenAPI 3.1 of the routes given. Throws UndocumentedError unless every route has an operation and every operation a
 * route.
 */
export function buildDocument(source: DocumentSource): Json {
  const { routes, providers, version, rolesWith } = source;
  const requests = requestSchemas(providers);
  const operations = documentedOperations(requests);
  const examples = withProviders(source.examples, providers);
  const bodies = Object.values(operations).flatMap(({ body }) => (body === undefined ? [] : [body]));
  const components = createComponents(componentNames(requests), bodies);
  const paths: Record<string, Record<string, unknown>> = {};
  const unused = new Set(Object.keys(operations));
  for (const route of routes) {
    const key = `${route.method} ${route.path}`;
    const operation = operations[key];
    if (operation === undefined) throw new UndocumentedError(`${key} has no operation`);
    unused.delete(key);
    const path = (paths[route.path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
    path[route.method.toLowerCase()] = toOperation(
      route,
      operation,
      components,
      examples[operation.operationId] ?? NOT_RECORDED,
      rolesWith,
    );
  }
  if (unused.size > 0) throw new UndocumentedError(`no route for ${[...unused].join(", ")}`);
  return {
    openapi: "3.1.1",
    info: {
      title: "PayInference",
      version,
      summary: "A synchronous payment decision service.",
      description: DESCRIPTION,
      contact: { name: "Whoever runs this deployment" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: SECURITY_SCHEMES,
      headers: { RequestId: toHeader(REQUEST_ID_ANSWERED, components) },
      parameters: { RequestId: toParameter("X-Request-ID", "header", REQUEST_ID_SENT, components) },
    },
  };
}

const REQUEST_ID_SENT: Parameter = {
  schema: { type: "string", minLength: 1, maxLength: LIMITS.requestIdCharsMax, pattern: "^[A-Za-z0-9._-]+$" },
  description: "The caller's own id of this request; one that is not well-formed is replaced.",
};
const REQUEST_ID_ANSWERED: Parameter = {
  schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
  description: "The caller's own, or a new one.",
};

function toOperation(
  route: DocumentedRoute,
  operation: Operation,
  components: Components,
  examples: OperationExamples,
  rolesWith: DocumentSource["rolesWith"],
): Json {
  const { operationId, tag, summary, description, body, server } = operation;
  const roles =
    typeof route.access === "object" && "scope" in route.access ? rolesWith(route.access.scope) : [];
  const access = accessOf(route, roles);
  const isReplayed = route.onRepeat === "replay";
  const query = roles.length === 0 ? operation.query : { ...operation.query, mode: modeOfSession };
  const exampleOf = (status: number, schemas: readonly JsonSchema[]): unknown =>
    examples.responses[status] ?? failureExample(operationId, status, schemas);
  const responses: Record<string, unknown> = {};
  for (const [status, answer] of Object.entries(operation.answers)) {
    const headers = isReplayed ? { ...answer.headers, ...REPLAYED_ANSWER_HEADERS } : answer.headers;
    responses[status] = toResponse(
      headers === undefined ? answer : { ...answer, headers },
      exampleOf(Number(status), []),
      components,
    );
  }
  for (const [status, { reasons, schemas, headers }] of failuresOf(route, operation)) {
    const [only, ...others] = schemas;
    const failure: Answer = {
      description: reasons.join(" Or: "),
      schema: others.length === 0 ? (only as JsonSchema) : { oneOf: schemas },
      ...(headers === undefined ? {} : { headers }),
    };
    responses[status] ??= toResponse(failure, exampleOf(status, schemas), components);
  }
  return {
    operationId,
    tags: [tag],
    summary,
    description: [...(description === undefined ? [] : [description]), accessText(access, operation)].join(
      " ",
    ),
    security: securityOf(access, operation),
    ...(access === null ? {} : { "x-access": access }),
    parameters: [
      ...toParameters("path", operation.path, components),
      ...toParameters("query", query, components),
      ...toParameters("header", operation.headers, components),
      ...toParameters("header", isReplayed ? { "Idempotency-Key": KEY_OF_CHANGE } : undefined, components),
      { $ref: "#/components/parameters/RequestId" },
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyIsOptional !== true,
            content: {
              "application/json": {
                schema: components.publish(body, "received"),
                ...withExample(examples.request),
              },
            },
          },
        }),
    responses,
    ...(server === undefined ? {} : { servers: [server] }),
  };
}

function toResponse(answer: Answer, example: unknown, components: Components): Json {
  const { description, schema, contentType = JSON_TYPE, headers = {} } = answer;
  return {
    description,
    headers: {
      "x-request-id": { $ref: "#/components/headers/RequestId" },
      ...Object.fromEntries(
        Object.entries(headers).map(([name, header]) => [name, toHeader(header, components)]),
      ),
    },
    ...(schema === undefined
      ? {}
      : {
          content: Object.fromEntries(
            [contentType]
              .flat()
              .map((type) => [
                type.split(";")[0] as string,
                { schema: components.publish(schema, "answered"), ...withExample(example) },
              ]),
          ),
        }),
  };
}

function withExample(example: unknown): Json {
  return example === undefined ? {} : { example };
}

function toHeader({ schema, description }: Parameter, components: Components): Json {
  return { description, schema: components.publish(schema, "answered") };
}

function toParameters(
  place: "path" | "query" | "header",
  parameters: Readonly<Record<string, Parameter>> | undefined,
  components: Components,
): Json[] {
  return Object.entries(parameters ?? {}).map(([name, parameter]) =>
    toParameter(name, place, parameter, components),
  );
}

function toParameter(
  name: string,
  place: "path" | "query" | "header",
  { schema, description, required }: Parameter,
  components: Components,
): Json {
  const isRequired = place === "path" || required === true;
  return {
    name,
    in: place,
    description,
    ...(isRequired ? { required: true } : {}),
    schema: components.publish(schema, "received"),
  };
}
