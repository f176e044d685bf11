import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isTimestamp } from "../../../src/domain/vocabulary/timestamp.js";
import { IS_TWO_NODES } from "../two-nodes-mode.js";

/** Every reply that a test gets is checked against the /openapi.json of the service that sent it. */

export interface CheckedReply {
  status: number;
  /** Null without a content type. */
  contentType: string | null;
  /** Empty for HEAD. */
  text: string;
  /** The names of the headers in lower case. Absent where the test does not have them. */
  headers?: readonly string[];
}

type Method = "get" | "post" | "put" | "patch" | "delete";
interface Response {
  content?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, unknown>>;
}
interface Operation {
  operationId: string;
  /** The operation's own servers, where they differ from the document's. */
  servers?: readonly unknown[];
  responses: Readonly<Record<string, Response>>;
}
export interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;
}

/** The document does not describe pages for browsers. */
const PAGES = /^\/(?:docs|dashboard)(?:\/|$)/;
/** Headers that belong to HTTP itself, or to every answer, as the document's introduction says. */
const COMMON_HEADERS: ReadonlySet<string> = new Set([
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "x-content-type-options",
  // The edge adds this header, because it speaks TLS.
  ...(IS_TWO_NODES ? ["strict-transport-security"] : []),
]);
const PLAIN_ERROR = "#/components/schemas/Error";

/** The check for each origin. Null for a server without a document. */
const byOrigin = new Map<string, Promise<DocumentCheck | null>>();
/** The check for each document text. Most services of a run share one document, and compiling it is the slow part. */
const byText = new Map<string, DocumentCheck>();

/** The check for each value of PROVIDERS. No other setting changes what a service's document says. */
const byProviders = new Map<string, Promise<DocumentCheck | null>>();

/**
 * Reads the document of a service that has just started. Later requests to the service then come from its tests only.
 * For each value of PROVIDERS, only the first service is asked. Making the document takes a tenth of a start.
 */
export async function readDocument(origin: string, providers = ""): Promise<void> {
  const check = byProviders.get(providers) ?? documentOf(origin);
  byProviders.set(providers, check);
  byOrigin.set(origin, check);
  if ((await check) !== null) return;
  byProviders.delete(providers);
  assert.fail(`${origin} has no /openapi.json`);
}

/** Fails when the service's document does not describe this reply to this request. */
export async function assertDocumented(url: string, method: string, reply: CheckedReply): Promise<void> {
  const { origin } = new URL(url);
  // Keeps the path as it was sent. `new URL` would resolve its dots.
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
      // The service is not up. The next reply asks again.
      byOrigin.delete(origin);
      return null;
    },
  );
  byOrigin.set(origin, asked);
  return asked;
}

export class DocumentCheck {
  // To save time, the schema itself is not checked and each validator is compiled when it is needed.
  readonly #ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    // Ajv divides floats, so it needs this to see that 1.1 is a multiple of 0.01.
    multipleOfPrecision: 6,
  });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #templates: readonly { template: string; pattern: RegExp }[];

  constructor(private readonly document: OpenApiDocument) {
    this.#ajv.addFormat("date-time", isTimestamp);
    this.#ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    this.#ajv.addSchema(document, "document");
    // A literal path wins over a template with a parameter in the same place.
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
      // A test may stop reading a stream in the middle of a line.
      for (const line of reply.text.split("\n").slice(0, -1)) this.#assertJson(what, pointer, line);
    }
  }

  /** Fails when the operation does not accept this body. */
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
