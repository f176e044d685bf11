import assert from "node:assert/strict";
import { pointerTo } from "./built-document.js";
import { SecondValidator } from "./second-validator.js";
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
}

/** Sends requests by operation name, as a generated client does. Each reply is checked against the document. */
export class DocumentedCalls {
  /** The calls that were answered as documented, as `operationId status`. */
  readonly calledOperations = new Set<string>();
  readonly #paths: Paths;
  readonly #validator: SecondValidator;

  constructor(
    private readonly service: RunningService,
    document: object,
  ) {
    this.#paths = (document as { paths: Paths }).paths;
    this.#validator = new SecondValidator(document);
  }

  async call(operationId: string, status: number, options: Call = {}): Promise<Reply> {
    const { path = {}, query = "", ...rest } = options;
    const { template, method, operation } = this.#find(operationId);
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? assert.fail(name));
    const reply = await untilAnswered(() =>
      send(this.service, method.toUpperCase(), filled + query, { key: null, ...rest }),
    );
    assert.equal(reply.status, status, `${operationId}: ${reply.text}`);
    const { content = {} } = operation.responses[status] ?? {};
    const [mediaType = ""] = (reply.headers.get("content-type") ?? "").split(";");
    if (reply.text !== "") {
      assert.ok(mediaType in content, `${operationId} as ${mediaType}`);
      const steps = ["paths", template, method, "responses", String(status), "content", mediaType, "schema"];
      const schema = await this.#validator.at(pointerTo(steps));
      const values = mediaType.endsWith("x-ndjson") ? reply.text.trim().split("\n") : [reply.text];
      for (const value of values) {
        assert.deepEqual(schema.issuesOf(JSON.parse(value)), [], `${operationId}: ${value}`);
      }
    }
    this.calledOperations.add(`${operationId} ${status}`);
    return reply;
  }

  /** Every success that the document lists, as `operationId status`. */
  successes(): string[] {
    return Object.values(this.#paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, responses }) =>
        Object.keys(responses)
          .filter((status) => Number(status) < 400)
          .map((status) => `${operationId} ${status}`),
      ),
    );
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
