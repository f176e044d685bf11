import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import fc from "fast-check";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { ownLog } from "../../support/service/own-log.js";
import { openConnection, requestText, type RawConnection } from "../../support/http/raw-http.js";
import { decisionBody, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";

/**
 * ERR-14: none of the generated bodies is a decision request. Every generated value and name contains SECRET. No answer
 * and no log line may repeat it.
 */
const SECRET = "4929123456781234";
/** Each run generates other bodies. */
const BODIES = 5000;
const CONNECTIONS = 8;

let service: RunningService;
/** Other files use the same service, so its log has earlier lines. */
let loggedBefore: string;
let workspaceId: string;
let key: string;
before(async () => {
  service = await sharedTestService();
  loggedBefore = service.log();
  workspaceId = await createWorkspace(service);
  key = await createKey(service.pool, workspaceId);
});

const VALID = JSON.stringify(decisionBody());

/** A value that none of FIELDS accepts, except for an empty object as risk_signals. */
const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    `${SECRET} `,
    `${SECRET}\u0000`,
    [[]],
    { [SECRET]: SECRET },
    1e300,
    -1,
    0.5,
  ),
  fc.string({ maxLength: 20 }).map((text) => `${SECRET}${text} `),
  fc.array(fc.constant(SECRET), { maxLength: 5 }),
  fc.dictionary(fc.string({ maxLength: 5 }), fc.constant(SECRET), { maxKeys: 5 }),
);

const FIELDS = [
  "merchant_id",
  "transaction",
  "available_providers",
  "previous_attempt",
  "risk_signals",
  "decision_mode",
  "transaction.amount",
  "transaction.currency",
  "transaction.country",
  "transaction.payment_method",
  "transaction.card_network",
  "transaction.risk_score",
  "available_providers.0",
  "previous_attempt.provider",
  "risk_signals.ip_country_match",
  "risk_signals.velocity_count_10m",
] as const;
const REQUIRED = ["merchant_id", "order_id", "transaction", "available_providers"] as const;

/** The valid body with one field set, or with one field removed. */
function withField(path: string, value: unknown): string {
  const body = decisionBody() as Record<string, Record<string, unknown>>;
  const [field = "", member] = path.split(".");
  if (member === undefined) body[field] = value as Record<string, unknown>;
  else body[field] = Object.assign(body[field] ?? {}, { [member]: value });
  return JSON.stringify(body);
}

/** Sets one of FIELDS to a wrong value. Other fields could accept some of these values, such as 1e300. */
const wrongField = fc
  .tuple(fc.constantFrom(...FIELDS), wrongValue)
  .filter(([path, value]) => !(path === "risk_signals" && isEmptyObject(value)))
  .map(([path, value]) => withField(path, value));

function isEmptyObject(value: unknown): boolean {
  return JSON.stringify(value) === "{}";
}

const missingField = fc.constantFrom(...REQUIRED).map((path) => withField(path, undefined));

const unknownField = fc
  .tuple(
    fc.oneof(
      fc.constantFrom("__proto__", "constructor", "prototype", "toString", "card_number", `n${SECRET}`),
      fc.string({ maxLength: 30 }).map((name) => `${SECRET}${name}`),
    ),
    fc.constantFrom("", "transaction"),
  )
  .map(([name, inside]) => {
    const member = `${JSON.stringify(name)}:${JSON.stringify(SECRET)},`;
    return inside === ""
      ? VALID.replace("{", `{${member}`)
      : VALID.replace('{"amount"', `{${member}"amount"`);
  });

const repeatedKey = fc
  .constantFrom("merchant_id", "order_id", "transaction", "available_providers")
  .map((key) => VALID.replace("{", `{"${key}":${JSON.stringify((decisionBody() as never)[key])},`));

const truncated = fc.nat({ max: VALID.length - 1 }).map((chars) => VALID.slice(0, chars));
const trailing = fc.constantFrom("}", ",", "x", "{}", VALID, "\u0000", "//").map((text) => VALID + text);
const deeplyNested = fc
  .tuple(fc.integer({ min: 33, max: 2500 }), fc.constantFrom("[]", "{}"))
  .map(([levels, kind]) =>
    kind === "[]"
      ? "[".repeat(levels) + "]".repeat(levels)
      : '{"a":'.repeat(levels) + "1" + "}".repeat(levels),
  );
const forbiddenCharacter = fc
  .constantFrom("\\u0000", "\\ud800", "\\udfff", "\\ud800\\u0041")
  .map((escape) => VALID.replace("order_1", `${SECRET}${escape}`));

/** Replaces one byte of the text by one that never occurs in UTF-8. */
const invalidUtf8 = fc
  .tuple(fc.nat({ max: VALID.length - 1 }), fc.constantFrom(0xc0, 0xf5, 0xff))
  .map(([at, byte]) => {
    const bytes = Buffer.from(VALID);
    bytes[at] = byte;
    return bytes;
  });

const malformedBody: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  invalidUtf8,
  fc
    .oneof(
      fc.string({ maxLength: 200 }),
      fc.json({ maxDepth: 5 }),
      wrongField,
      missingField,
      unknownField,
      repeatedKey,
      truncated,
      trailing,
      deeplyNested,
      forbiddenCharacter,
    )
    .map((text) => Buffer.from(text)),
);

interface Answer {
  status: number;
  body: string;
}

/** Posts every body over one of a few connections. Each connection has one request at a time. */
async function postAll(bodies: readonly Buffer[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const work = async (connection: RawConnection): Promise<void> => {
    for (let index = next++; index < bodies.length; index = next++) {
      const body = bodies[index] as Buffer;
      const head = requestText("POST", "/v1/decision", [
        ["x-api-key", key],
        ["content-type", "application/json"],
        ["content-length", String(body.length)],
      ]);
      connection.write(Buffer.concat([Buffer.from(head), body]));
      const { status, body: text } = await connection.reply();
      answers[index] = { status, body: text };
    }
  };
  // The connections are opened here, because the server closes a connection that is idle for 10 s.
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(service.url)),
  );
  await Promise.all(connections.map(work));
  return answers;
}

const CODES =
  /^(too_small|too_big|invalid_type|unrecognized_keys|invalid_enum_value|invalid_string|invalid_json|custom)$/;

function assertRefused({ status, body }: Answer): void {
  assert.equal(status, 400);
  const { error, issues } = JSON.parse(body) as { error: string; issues: { code: string }[] };
  assert.equal(error, "validation_error");
  assert.ok(issues.length >= 1 && issues.length <= LIMITS.validationIssuesMax);
  for (const issue of issues) {
    assert.deepEqual(Object.keys(issue), ["path", "code", "message"]);
    assert.match(issue.code, CODES);
  }
  assert.ok(!body.includes(SECRET.slice(0, 6)), "a submitted value came back");
}

describe("malformed bodies", () => {
  it(`ERR-11, ERR-15, HTTP-6: answers ${BODIES} of them with 400 validation_error and lives on`, async () => {
    const seed = Date.now();
    const bodies = fc.sample(malformedBody, { numRuns: BODIES, seed });
    for (const [index, answer] of (await postAll(bodies)).entries()) {
      try {
        assertRefused(answer);
      } catch (error) {
        const sent = bodies[index]?.toString("latin1").slice(0, 1000);
        throw new Error(`seed ${seed}: ${sent} was answered ${answer.status} ${answer.body}`, {
          cause: error,
        });
      }
    }
    assert.equal(service.process.exitCode, null);
    assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody(), key })).status, 200);
    assert.equal(ownLog(service.log().slice(loggedBefore.length)), "");
    const { rows } = await service.pool.query(
      "select order_id from decisions where workspace_id = $1 and order_id <> 'order_1'",
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, []);
  });
});
