import assert from "node:assert/strict";
import { request } from "node:http";
import { before, describe, it } from "node:test";
import { bearer, newEmail, register } from "../../support/people/accounts.js";
import { untilAnswered, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey } from "../../support/people/tenants.js";

interface Operation {
  method: string;
  /** The path with its parameters filled in. */
  path: string;
  operationId: string;
  /** The example of the request's body. Undefined without a body. */
  example: unknown;
}

/**
 * Two workspaces get the same requests in the same order. One gets them with lengths, and its twin gets them in chunks.
 */
interface Twin {
  isChunked: boolean;
  key: string;
  token: string;
}

const PARAMETERS: Readonly<Record<string, string>> = {
  merchantId: "demo_merchant",
  provider: "provider_1",
  providerSlug: "provider_1",
};
/**
 * The examples of these operations are not sent: they end the session, or the second twin's answer depends on the first
 * one's.
 */
const WITHOUT_EXAMPLE = new Set(["register", "login", "acceptInvitation"]);

let service: RunningService;
let operations: Operation[];
let twins: [Twin, Twin];
before(async () => {
  service = await sharedTestService();
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, DocumentedOperation>>;
  };
  operations = Object.entries(document.paths).flatMap(([pattern, item]) =>
    Object.entries(item)
      .filter(([, { servers }]) => servers === undefined)
      .map(([method, { operationId, requestBody }]) => ({
        method: method.toUpperCase(),
        path: pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? "none"),
        operationId,
        example: WITHOUT_EXAMPLE.has(operationId)
          ? undefined
          : requestBody?.content["application/json"]?.example,
      })),
  );
  twins = [await twin(false), await twin(true)];
});

interface DocumentedOperation {
  operationId: string;
  servers?: unknown[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

async function twin(isChunked: boolean): Promise<Twin> {
  const { token, workspaceId } = await register(service, newEmail());
  return { isChunked, token, key: await createKey(service.pool, workspaceId) };
}

interface Answer {
  status: number;
  contentType: string | undefined;
  body: unknown;
  connection: string | undefined;
}

function ask(
  { isChunked }: Twin,
  { method, path }: Pick<Operation, "method" | "path">,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const framing = isChunked
      ? { "transfer-encoding": "chunked" }
      : { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(
      service.url + path,
      { method, agent: false, headers: { "content-type": "application/json", ...headers, ...framing } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("error", reject);
        response.on("end", () => {
          const contentType = response.headers["content-type"];
          const isJson = contentType?.startsWith("application/json") === true && text !== "";
          resolve({
            status: response.statusCode ?? 0,
            contentType,
            body: isJson ? JSON.parse(text) : text,
            connection: response.headers.connection,
          });
        });
      },
    );
    sent.on("error", reject);
    // The body is sent in two chunks if it has at least two bytes.
    sent.write(body.slice(0, 1));
    sent.end(body.slice(1));
  });
}

/** An answer without its own values: times, ids, secrets, and figures that change. */
function comparable(answer: Answer): unknown {
  const { status, contentType, body } = answer;
  return { status, contentType, body: status >= 400 ? body : shapeOf(body) };
}
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
}

async function assertAlike(
  operation: Pick<Operation, "method" | "path">,
  body: string,
  credentials: (twin: Twin) => Record<string, string>,
): Promise<number> {
  const what = `${operation.method} ${operation.path} ${body.slice(0, 200)}`;
  const askAs = (twin: Twin): Promise<Answer> => {
    const once = (): Promise<Answer> => ask(twin, operation, body, credentials(twin));
    // A node runs one backtest at a time. The twin's backtest may still be running, so this one is repeated.
    return operation.path === "/v1/policies/backtest" ? untilAnswered(once) : once();
  };
  const [withLength, inChunks] = await Promise.all([askAs(twins[0]), askAs(twins[1])]);
  assert.deepEqual(comparable(inChunks), comparable(withLength), what);
  assert.equal(inChunks.connection, "close", what);
  return inChunks.status;
}

const withKey = ({ key }: Twin): Record<string, string> => ({ "x-api-key": key });
const inSession = ({ token }: Twin): Record<string, string> => bearer(token);
const unknown = (): Record<string, string> => ({ "x-api-key": `pi_test_${"0".repeat(64)}` });

describe("HTTP-12: a chunked request gets the same answer as one with a length, at every endpoint", () => {
  it("it holds without a valid key, with one and with a session, for the document's own body, none and invalid JSON", async () => {
    const statuses = new Set<number>();
    for (const operation of operations.filter(({ operationId }) => operationId !== "logout")) {
      const example = operation.example === undefined ? [] : [JSON.stringify(operation.example)];
      for (const credentials of [unknown, withKey, inSession]) {
        const bodies = credentials === unknown ? ["{}"] : [...example, "", "{}", '{"x":'];
        for (const body of bodies) {
          statuses.add(await assertAlike(operation, body, credentials));
        }
      }
    }
    assert.ok(operations.length > 40, `${operations.length} operations`);
    for (const status of [200, 201, 400, 401, 403, 404]) assert.ok(statuses.has(status), `${status}`);
  });

  it("it holds for bodies over their limits", async () => {
    for (const { method, path, example } of operations) {
      if (example === undefined) continue;
      for (const credentials of [withKey, inSession]) {
        await assertAlike({ method, path }, " ".repeat(1024 * 1024 + 1), credentials);
      }
    }
  });

  it("an unknown route, an unknown method and HEAD get the same answers", async () => {
    for (const [method, path] of [
      ["POST", "/v1/nothing"],
      ["PUT", "/v1/decision"],
      ["HEAD", "/v1/decision"],
      ["HEAD", "/health"],
      ["HEAD", "/openapi.json"],
      ["GET", "/docs"],
      ["OPTIONS", "/v1/decision"],
    ] as const) {
      await assertAlike({ method, path }, "{}", withKey);
    }
  });

  it("a chunked logout ends its session", async () => {
    const logout = { method: "POST", path: "/v1/auth/logout" };
    assert.equal(await assertAlike(logout, "", inSession), 204);
    assert.equal(await assertAlike(logout, "", inSession), 401);
  });
});
