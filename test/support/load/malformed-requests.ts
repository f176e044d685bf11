import assert from "node:assert/strict";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { residentBytesOf } from "../machine/process-memory.js";
import { openConnection, requestText, type RawReply } from "../http/raw-http.js";
import { decisionBody, send, type RunningService } from "../service/service.js";

/** Generates requests that the service must refuse, sends them and records the answers. */

/** The key is unknown, so that a request that happens to be valid is not decided. */
const UNKNOWN_KEY = `pi_test_${"0".repeat(64)}`;
const VALID_BODY = JSON.stringify(decisionBody());
const SPECIAL = [
  "\0",
  "\r",
  "\n",
  "\r\n",
  "\t",
  "\v",
  " ",
  ":",
  ",",
  ";",
  "\x7f",
  "\x80",
  "\xff",
  "%00",
  "\r\n ",
];

const valid = (key: string, body = VALID_BODY): string =>
  requestText(
    "POST",
    "/v1/decision",
    [
      ["x-api-key", key],
      ["content-type", "application/json"],
    ],
    body,
  );
const UNAUTHORIZED = valid(UNKNOWN_KEY);

const latin1 = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString("latin1"));

/** A well-formed request in which a few characters are inserted or removed. */
const mutated = fc
  .array(
    fc.record({
      at: fc.nat({ max: UNAUTHORIZED.length - 1 }),
      taken: fc.nat({ max: 3 }),
      put: fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ maxLength: 3 })),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((changes) => {
    let text = UNAUTHORIZED;
    for (const { at, taken, put } of changes) text = text.slice(0, at) + put + text.slice(at + taken);
    return text;
  });

const truncated = fc
  .tuple(fc.nat({ max: UNAUTHORIZED.length - 1 }), latin1)
  .map(([chars, rest]) => UNAUTHORIZED.slice(0, chars) + rest);

const method = fc.constantFrom(
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "get",
  "G\0T",
  "",
);
const target = fc.oneof(
  fc.constantFrom(
    "/v1/decision",
    "/v1/decisions",
    "/v1/decisions/%00",
    "/v1/policies/..%2f..%2fetc",
    "/v1/../v1/decision",
    "*",
    "http://a/",
    "//",
    "/?%",
    "/v1/decisions?page_size=%ff",
  ),
  fc.webPath().map((path) => `/x${path}`),
  fc.integer({ min: 100, max: 20_000 }).map((chars) => `/${"a".repeat(chars)}`),
);
const FRAMINGS = [
  "content-length: 0",
  "content-length: 5",
  "content-length: -1",
  "content-length: 99999999999999999999",
  "content-length:",
  "content-length : 5",
  "transfer-encoding: chunked",
  "Transfer-Encoding: Chunked",
  "transfer-encoding: gzip, chunked",
  "transfer-encoding:\tchunked",
  "transfer-encoding: identity",
  "host: a",
  "host: b c",
  "expect: 100-continue",
  "connection: close",
  "upgrade: websocket",
  "x-request-id: a\rb",
  "x-api-key:",
  `x-api-key: ${UNKNOWN_KEY}`,
  `authorization: Bearer ${"0".repeat(64)}`,
  "cookie: payinference_session=\0",
  "content-type: application/json",
];
const headerLine = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...FRAMINGS) },
  { weight: 1, arbitrary: latin1.map((text) => text.slice(0, 60)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((chars) => `x: ${"y".repeat(chars)}`) },
);
const chunkedBody = fc
  .array(
    fc.tuple(
      fc.constantFrom("0", "1", "a", "ff", "-1", "g", "1;x=y", "00000001", "ffffffffffffffff"),
      latin1,
    ),
    {
      maxLength: 4,
    },
  )
  .map((chunks) => chunks.map(([size, data]) => `${size}\r\n${data}\r\n`).join(""));

/** Any request line with any headers and any body. Public routes are left out, because they refuse nothing. */
const composed = fc
  .tuple(
    method,
    target,
    fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "http/1.1", ""),
    fc.array(headerLine, { maxLength: 8 }),
    fc.constantFrom("\r\n", "\r\n", "\r\n", "\n", "\r"),
    fc.oneof(fc.constant(""), chunkedBody, latin1, fc.json()),
  )
  .map(([verb, path, version, headers, end, body]) =>
    [`${verb} ${path} ${version}`, ...headers, "", body].join(end),
  );

const manyHeaders = fc
  .integer({ min: 50, max: 500 })
  .map((count) => `GET /v1/decisions HTTP/1.1\r\nhost: a\r\n${"x: y\r\n".repeat(count)}\r\n`);

/** Latin1 text: one character is one byte. */
export const malformedRequest: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: latin1 },
  { weight: 3, arbitrary: mutated },
  { weight: 2, arbitrary: truncated },
  { weight: 4, arbitrary: composed },
  { weight: 1, arbitrary: manyHeaders },
);

/** The parser's own answer to a request line it cannot read. */
const PARSER_STATUS = 505;
/** The service authenticates requests that the parser could read. A busy PostgreSQL may be too slow for that. */
const LATE_AUTHENTICATION =
  '{"statusCode":503,"message":"Credentials cannot be checked right now","error":"Service Unavailable"}';
/** How long to wait for an answer. A request that the parser still finds incomplete gets none. */
const SILENCE_MS = 40;
const CONNECTIONS = 64;
const MIB = 2 ** 20;
const MEMORY_GROWTH_BYTES_MAX = 128 * MIB;

export interface MalformedRun {
  answered: number;
  silent: number;
  grownBytes: number;
}

/**
 * Sends `count` malformed requests, each over its own connection. An answer must be a 4xx, the parser's 505, a 100 or
 * LATE_AUTHENTICATION. Fails at any other answer, at an error in the log, if memory grows after the first tenth, and if
 * the service is not healthy.
 */
export async function sendMalformedRequests(service: RunningService, count: number): Promise<MalformedRun> {
  const seed = Date.now();
  const run: MalformedRun = { answered: 0, silent: 0, grownBytes: 0 };
  const sendAll = async (requests: readonly string[]): Promise<void> => {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < requests.length; index = next++) {
        const text = requests[index] as string;
        const replies = await answersTo(service.url, text);
        if (replies.length === 0) run.silent++;
        else run.answered++;
        for (const { status, body } of replies) {
          const refused =
            (status >= 400 && status < 500) ||
            status === PARSER_STATUS ||
            status === 100 ||
            body === LATE_AUTHENTICATION;
          assert.ok(refused, `seed ${seed}: ${status} to ${JSON.stringify(text.slice(0, 2000))}`);
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  };
  const warmUp = Math.ceil(count / 10);
  let before = 0;
  // Requests are sent in portions, so that they are not all held in memory.
  for (let sent = 0; sent < count; sent += warmUp) {
    await sendAll(
      fc.sample(malformedRequest, { numRuns: Math.min(warmUp, count - sent), seed: seed + sent }),
    );
    if (sent === 0) before = await residentBytesOf(service.process.pid);
  }
  run.grownBytes = (await residentBytesOf(service.process.pid)) - before;
  assert.ok(run.grownBytes < MEMORY_GROWTH_BYTES_MAX, `${run.grownBytes} bytes`);
  assert.equal(service.process.exitCode, null);
  // Only errors count. On a busy machine a start may warn that PostgreSQL is late.
  assert.doesNotMatch(service.log(), /"level":[56]0/);
  assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody() })).status, 200);
  return run;
}

async function answersTo(url: string, text: string): Promise<RawReply[]> {
  const connection = await openConnection(url);
  connection.write(Buffer.from(text, "latin1"));
  const replies: RawReply[] = [];
  const reading = (async () => {
    const bodiless = text.startsWith("HEAD");
    for (;;) replies.push(await connection.reply({ bodiless }));
  })().catch(() => undefined);
  await Promise.race([connection.closed(), sleep(SILENCE_MS)]);
  if (replies.length === 0 && connection.isOpen()) {
    // A paused service may not have answered yet, and a paused test may not have read yet. So a later request is sent
    // and all pending input is read first. Only then does a missing answer count as silence.
    await (await fetch(`${url}/health`)).text();
    await nextTurn();
  }
  connection.destroy();
  await reading;
  return replies;
}
