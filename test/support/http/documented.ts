import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isTimestamp } from "../../../src/domain/vocabulary/timestamp.js";
import { IS_TWO_NODES } from "../two-nodes-mode.js";

/** Every reply that a test gets is held against the /openapi.json of the very service that gave it. */

export interface CheckedReply {
  status: number;
  /** null where there is none. */
  contentType: string | null;
  /** Empty for HEAD. */
  text: string;
  /** The names of its headers in lower case, where the test has them. */
  headers?: readonly string[];
}

type Method = "get" | "post" | "put" | "patch" | "delete";
interface Response {
  content?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, unknown>>;
}
interface Operation {
  operationId: string;
  /** Where it is served, when that is not where the document is. */
  servers?: readonly unknown[];
  responses: Readonly<Record<string, Response>>;
}
export interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
}

/** What is looked at in a browser is not described. */
const PAGES = /^\/(?:docs|dashboard)(?:\/|$)/;
/** Of HTTP itself, or of every answer, as the document's introduction says. */
const COMMON_HEADERS: ReadonlySet<string> = new Set([
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "x-content-type-options",
  // The edge's, which speaks TLS.
  ...(IS_TWO_NODES ? ["strict-transport-security"] : []),
]);
const PLAIN_ERROR = "#/components/schemas/Error";

/** By origin; null for a server that has no document. */
const byOrigin = new Map<string, Promise<DocumentCheck | null>>();
/** By text: most services of a run have the same, and compiling is what takes time. */
const byText = new Map<string, DocumentCheck>();

/** Reads a service's document, so that the requests of its tests are their own. */
export async function readDocument(origin: string): Promise<void> {
  assert.ok((await documentOf(origin)) !== null, `${origin} has no /openapi.json`);
}

/** Fails when the reply is not what the service's document says of that request. */
export async function assertDocumented(url: string, method: string, reply: CheckedReply): Promise<void> {
  const { origin } = new URL(url);
  // As it was sent: `new URL` would resolve its dots.
  const [pathname = ""] = url.slice(origin.length).split(/[?#]/);
  const document = await documentOf(origin);
  document?.assertReply(method, pathname, reply);
}

function documentOf(origin: string): Promise<DocumentCheck | null> {
  const known = byOrigin.get(origin);
  if (known !== undefined) return known;
  const asked = fetch(`${origin}/openapi.json`).then(
    async (response) => {
      const text = await response.text();
      if (response.status !== 200) return null;
      const check = byText.get(text) ?? new DocumentCheck(JSON.parse(text) as OpenApiDocument);
      byText.set(text, check);
      return check;
    },
    () => {
      // It is not up; the next reply asks again.
      byOrigin.delete(origin);
      return null;
    },
  );
  byOrigin.set(origin, asked);
  return asked;
}

export class DocumentCheck {
  // The time of the test suite is short: no check of the schema itself, and validators as they come.
  readonly #ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    // Ajv divides: 1.1 is no multiple of 0.01 to it without.
    multipleOfPrecision: 6,
  });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #templates: readonly { template: string; pattern: RegExp }[];

  constructor(private readonly document: OpenApiDocument) {
    this.#ajv.addFormat("date-time", isTimestamp);
    this.#ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    this.#ajv.addSchema(document, "document");
    // A literal path is meant before one with a parameter in its place.
    this.#templates = Object.entries(document.paths)
      .filter(([, item]) => Object.values(item).every(({ servers }) => servers === undefined))
      .map(([template]) => template)
      .toSorted((a, b) => a.split("{").length - b.split("{").length)
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]*")}$`),
      }));
  }

  assertReply(method: string, path: string, reply: CheckedReply): void {
    if (PAGES.test(path)) return;
    const verb = (method === "HEAD" ? "get" : method.toLowerCase()) as Method;
    const template = this.#templates.find(({ pattern }) => pattern.test(path))?.template;
    const operation = template === undefined ? undefined : this.document.paths[template]?.[verb];
    const what = `${method} ${path} answered ${reply.status}`;
    if (template === undefined || operation === undefined) {
      const expected = template === undefined ? [400, 404] : [400, 405];
      assert.ok(expected.includes(reply.status), `${what}, and there is no such operation`);
      if (method !== "HEAD") this.#assertJson(what, PLAIN_ERROR, reply.text);
      return;
    }
    const response = operation.responses[reply.status];
    assert.ok(
      response !== undefined,
      `${what}, which ${operation.operationId} does not document: ${reply.text}`,
    );
    const named = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
    const unknown = (reply.headers ?? []).filter((name) => !COMMON_HEADERS.has(name) && !named.has(name));
    assert.deepEqual(unknown, [], `${what} with headers that ${operation.operationId} does not document`);
    const [mediaType] = (reply.contentType ?? "").split(";");
    const documented = Object.keys(response.content ?? {});
    if (documented.length === 0) return assert.equal(reply.text, "", `${what} with a body`);
    assert.ok(documented.includes(mediaType ?? ""), `${what} as ${mediaType}, not ${documented.join()}`);
    if (method === "HEAD" || mediaType === undefined) return;
    const escaped = [template, verb, "responses", String(reply.status), "content", mediaType].map((part) =>
      encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
    );
    const pointer = `#/paths/${escaped.join("/")}/schema`;
    if (mediaType === "application/json") this.#assertJson(what, pointer, reply.text);
    if (mediaType === "application/x-ndjson") {
      // A stream may be given up in the middle of a line.
      for (const line of reply.text.split("\n").slice(0, -1)) this.#assertJson(what, pointer, line);
    }
  }

  /** Fails when a body is none that the operation takes. */
  assertRequest(method: Method, template: string, body: unknown): void {
    const escaped = encodeURIComponent(template.replaceAll("~", "~0").replaceAll("/", "~1"));
    const pointer = `#/paths/${escaped}/${method}/requestBody/content/application~1json/schema`;
    this.#assertJson(`a request to ${method} ${template}`, pointer, JSON.stringify(body));
  }

  #assertJson(what: string, pointer: string, text: string): void {
    const validate = this.#validators.get(pointer) ?? this.#ajv.getSchema(`document${pointer}`);
    assert.ok(validate !== undefined, `${what}: no schema at ${pointer}`);
    this.#validators.set(pointer, validate);
    if (validate(JSON.parse(text))) return;
    const errors = (validate.errors ?? [])
      .slice(0, 8)
      .map(({ instancePath, message, params }) => `  ${instancePath} ${message} ${JSON.stringify(params)}`);
    assert.fail(`${what}, which its schema does not allow:\n${errors.join("\n")}\n${text.slice(0, 2000)}`);
  }
}
