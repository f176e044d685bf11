import assert from "node:assert/strict";
import { pointerTo } from "../generators/built-document.js";
import { SecondValidator } from "../generators/second-validator.js";
import { createPlaceholders } from "./placeholders.js";
import { send, untilAnswered, type Reply, type RunningService } from "../service/service.js";

interface Operation {
  operationId: string;
  responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Call {
  path?: Readonly<Record<string, string>>;
  query?: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The service to call. The default is the one given to the constructor. */
  to?: RunningService;
}

/** The examples of one operation, which grow with each call. */
interface Recorded {
  request?: unknown;
  responses: Record<string, unknown>;
}

/** The operation that returns the document. No example of it is recorded, because it would contain the document. */
const SELF = "getOpenApi";

/** Calls operations by their names, as a generated client does. Each reply is checked against the document. */
export class DocumentedCalls {
  /** The documented answers received so far, as `operationId status`. */
  readonly #called = new Set<string>();
  /** The document's examples by operationId. The first reply of each status is the example. */
  readonly recorded = new Map<string, Recorded>();
  readonly #paths: Paths;
  readonly #validator: SecondValidator;
  readonly #fixed: (value: unknown) => unknown;

  constructor(
    private readonly service: RunningService,
    document: object,
    /** Unix milliseconds of a moment before the service started. */
    startedMs: number,
  ) {
    this.#paths = (document as { paths: Paths }).paths;
    this.#validator = new SecondValidator(document);
    this.#fixed = createPlaceholders(startedMs);
  }

  async call(operationId: string, status: number, options: Call = {}): Promise<Reply> {
    const { path = {}, query = "", to = this.service, ...rest } = options;
    const { template, method, operation } = this.#find(operationId);
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? assert.fail(name));
    const reply = await untilAnswered(() =>
      send(to, method.toUpperCase(), filled + query, { key: null, ...rest }),
    );
    assert.equal(reply.status, status, `${operationId}: ${reply.text}`);
    const { content = {} } = operation.responses[status] ?? {};
    const [mediaType = ""] = (reply.headers.get("content-type") ?? "").split(";");
    // A file is not JSON, and no example shows it.
    const isJson = mediaType.endsWith("json");
    const values = mediaType.endsWith("x-ndjson")
      ? reply.text.trim().split("\n")
      : isJson
        ? [reply.text]
        : [];
    if (reply.text !== "") {
      assert.ok(mediaType in content, `${operationId} as ${mediaType}`);
      const steps = ["paths", template, method, "responses", String(status), "content", mediaType, "schema"];
      const schema = await this.#validator.at(pointerTo(steps));
      for (const value of values) {
        assert.deepEqual(schema.issuesOf(JSON.parse(value)), [], `${operationId}: ${value}`);
      }
    }
    if (operationId !== SELF) this.#record(operationId, status, rest.body, values.at(-1) ?? "");
    this.#called.add(`${operationId} ${status}`);
    return reply;
  }

  calledSuccesses(): string[] {
    return [...this.#called].filter((called) => Number(called.split(" ")[1]) < 400);
  }

  /** Every success that the document names, as `operationId status`. */
  successes(): string[] {
    return Object.values(this.#paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, responses }) =>
        Object.keys(responses)
          .filter((status) => Number(status) < 400)
          .map((status) => `${operationId} ${status}`),
      ),
    );
  }

  /** The example of a stream is its last line, which is the result. */
  #record(operationId: string, status: number, body: unknown, answer: string): void {
    if (body === undefined && answer === "") return;
    const examples = this.recorded.get(operationId) ?? { responses: {} };
    this.recorded.set(operationId, examples);
    if (status < 400 && body !== undefined) {
      examples.request ??= this.#fixed(typeof body === "string" ? JSON.parse(body) : body);
    }
    if (answer !== "") examples.responses[status] ??= this.#fixed(JSON.parse(answer));
  }

  #find(operationId: string): { template: string; method: string; operation: Operation } {
    for (const [template, item] of Object.entries(this.#paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.operationId === operationId) return { template, method, operation };
      }
    }
    assert.fail(`no operation ${operationId}`);
  }
}

/** A text inside a reply. `names` lists the members on the way to it, the outermost first. */
export function memberOf({ json }: Reply, ...names: string[]): string {
  let value: unknown = json;
  for (const name of names) value = (value as Readonly<Record<string, unknown>>)[name];
  assert.equal(typeof value, "string", names.join("."));
  return value as string;
}
