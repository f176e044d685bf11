import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { register } from "../support/people/accounts.js";
import { chunkedRequest, inPackets, SMUGGLED_ROUTE } from "../support/http/chunked-requests.js";
import { openConnection, requestText, type RawReply } from "../support/http/raw-http.js";
import { requestsCounted } from "../support/service/requests-counted.js";
import { decisionBody, eventually, sendRead, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

/**
 * The parser of the pinned uWebSockets.js skips two bytes after the last chunk and reads the rest as a request.
 * test/attacks/edge-framing.test.ts tests the same requests behind the edge.
 */
let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const head = (path = "/v1/decision", method = "POST"): string =>
  requestText(
    method,
    path,
    [
      ["x-api-key", service.key],
      ["content-type", "application/json"],
      ["transfer-encoding", "chunked"],
    ],
    "",
  );
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const decision = (orderId: string): string => JSON.stringify(decisionBody({ order_id: orderId }));

interface Outcome {
  /** The service's own answers. The parser's answers carry no request id. */
  own: RawReply[];
  /** The status lines of all answers. */
  statuses: string[];
}

/** Sends each of `packets` in its own packet and reads until the service closes the connection. */
async function exchange(packets: readonly string[], pauseMs = 10): Promise<Outcome> {
  const connection = await openConnection(service.url);
  for (const [index, packet] of packets.entries()) {
    if (index > 0) await sleep(pauseMs);
    connection.write(Buffer.from(packet, "latin1"));
  }
  const text = await connection.closed();
  const own: RawReply[] = [];
  for (;;) {
    const reply = await connection.reply().catch(() => null);
    if (reply === null) break;
    if (reply.headers.has("x-request-id")) own.push(reply);
  }
  return { own, statuses: text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [] };
}

async function storedDecisions(orderId: string): Promise<unknown> {
  const { json } = await sendRead(service, "GET", `/v1/decisions?order_id=${orderId}`);
  return json["total"];
}

const LINE = `${SMUGGLED_ROUTE} HTTP/1.1\r\nhost: e\r\n\r\n`;

describe(
  "HTTP-12: chunked requests: the connection is closed after the answer",
  { concurrency: true },
  () => {
    it("answers one that ends correctly, and announces the close", async () => {
      const { own } = await exchange([`${head()}${chunk(decision("chunked_plain"))}0\r\n\r\n`]);
      assert.deepEqual(
        own.map(({ status, headers }) => [status, headers.get("connection")]),
        [[200, ["close"]]],
      );
      assert.equal(await storedDecisions("chunked_plain"), 1);
    });

    it("closes likewise after a HEAD, a 204, a 304, a page and an answer that fills buffers", async () => {
      const { etag } = Object.fromEntries((await fetch(`${service.url}/openapi.json`)).headers) as {
        etag: string;
      };
      const { token } = await register(service);
      const signedIn = (text: string): string =>
        text.replace(/x-api-key: .*/, `authorization: Bearer ${token}`);
      for (const [text, status, hasLength] of [
        [head("/health", "HEAD"), 200, true],
        [head("/openapi.json", "HEAD"), 200, true],
        [signedIn(head("/v1/auth/logout")), 204, false],
        [head("/openapi.json", "GET"), 200, true],
        [head("/openapi.json", "GET").replace("\r\n\r\n", `\r\nif-none-match: ${etag}\r\n\r\n`), 304, false],
      ] as const) {
        const connection = await openConnection(service.url);
        connection.write(`${text}2\r\n{}\r\n0\r\n\r\n`);
        const reply = await connection.reply({ bodiless: text.startsWith("HEAD") });
        assert.equal(reply.status, status, text);
        assert.deepEqual(reply.headers.get("connection"), ["close"], text);
        assert.equal(reply.headers.get("date")?.length, 1, text);
        assert.equal(reply.headers.has("content-length"), hasLength, text);
        assert.equal(await connection.closed(), "", text);
      }
    });

    it("sends a refusal before the body arrives; the connection ends after the body", async () => {
      const connection = await openConnection(service.url);
      connection.write(head("/nothing") + chunk("{}"));
      const reply = await connection.reply();
      assert.deepEqual([reply.status, reply.headers.get("connection")], [404, ["close"]]);
      await sleep(50);
      assert.ok(connection.isOpen());
      connection.write("0\r\n\r\n");
      assert.equal(await connection.closed(), "");
    });

    it("answers 413 over 16 KiB, as with a length", async () => {
      const { own } = await exchange([`${head()}${chunk(" ".repeat(16 * 1024 + 1))}`, "0\r\n\r\n"]);
      assert.deepEqual(
        own.map(({ status }) => status),
        [413],
      );
    });
  },
);

describe("chunked requests: bytes after the last chunk are never acted on", { concurrency: true }, () => {
  it("a trailer in a later packet changes nothing: the decision is answered and stored", async () => {
    let attempt = 0;
    for (const [first, later] of [
      ["0\r\n", "X-Checksum: abc\r\n\r\n"],
      ["0\r\nX-", "Checksum: abc\r\n\r\n"],
      ["0\r\n", `a: ${LINE}`],
      ["0\r\n\r\n", `GET ${LINE}`],
    ] as const) {
      // If the service is paused between the packets, it reads both packets as one. Then nothing is stored.
      await eventually(async () => {
        const order = `later_trailer_${attempt++}`;
        const { own } = await exchange([`${head()}${chunk(decision(order))}${first}`, later], 50);
        const statuses = own.map(({ status }) => status);
        assert.equal(await storedDecisions(order), statuses.length, later);
        assert.deepEqual(statuses, [200], later);
      });
    }
  });

  it("bytes in the same packet that the parser does not read as an empty line: refused and not stored", async () => {
    for (const [index, trailer] of [
      "X-Checksum: abc\r\n\r\n",
      "x: \x07\r\n\r\n",
      `a: ${LINE}`,
      `\r\nGET ${LINE}`,
      `\r\nPOST /v1/decision HTTP/1.1\r\nhost: e\r\nx-api-key: ${service.key}\r\ncontent-length: 2\r\n\r\n{}`,
    ].entries()) {
      const order = `trailer_${index}`;
      const { own, statuses } = await exchange([`${head()}${chunk(decision(order))}0\r\n${trailer}`]);
      assert.deepEqual([own.length, statuses.length <= 1], [0, true], `${trailer}: ${statuses.join()}`);
      assert.equal(await storedDecisions(order), 0, trailer);
    }
  });

  it("a route without a body does nothing before its request has ended well", async () => {
    const before = await requestsCounted(service);
    for (const trailer of ["X-Checksum: abc\r\n\r\n", `a: ${LINE}`, `\r\nGET ${LINE}`]) {
      const { own } = await exchange([
        `${head("/v1/admin/merchants/nobody", "DELETE")}${chunk("{}")}0\r\n${trailer}`,
      ]);
      assert.deepEqual(own, [], trailer);
    }
    const after = await requestsCounted(service);
    assert.deepEqual(after.get(SMUGGLED_ROUTE), before.get(SMUGGLED_ROUTE));
  });
});

describe("chunked requests, generated", () => {
  it("a request on the wire is at most one request, with any bytes behind it", async () => {
    const CASES = 3000;
    const CONNECTIONS = 32;
    const seed = Date.now();
    const before = await requestsCounted(service);
    const cases = fc.sample(chunkedRequest("{}"), { numRuns: CASES, seed });
    let next = 0;
    let answered = 0;
    const send = async (): Promise<void> => {
      for (let index = next++; index < CASES; index = next++) {
        const request = cases[index] as (typeof cases)[number];
        const packets = inPackets(head("/fuzz") + request.wire, request);
        // The parser cannot read a request line in two packets, and it cannot read chunk extensions.
        const isPlain = request.isLegal && request.isPlain && packets.length === 1;
        const said = `seed ${seed} case ${index}: ${JSON.stringify(packets)}`;
        const connection = await openConnection(service.url);
        for (const packet of packets) {
          connection.write(Buffer.from(packet, "latin1"));
          if (packets.length > 1) await sleep(1);
        }
        if (isPlain) {
          const reply = await connection.reply();
          assert.deepEqual([reply.status, reply.headers.get("connection")], [404, ["close"]], said);
          assert.equal(await connection.closed(), "", said);
          answered++;
          continue;
        }
        const first = await Promise.race([connection.reply().catch(() => null), sleep(100, null)]);
        if (first !== null && first.headers.has("x-request-id")) {
          answered++;
          const rest = await Promise.race([connection.closed(), sleep(100, "")]);
          assert.doesNotMatch(rest, /x-request-id/i, said);
        }
        connection.destroy();
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    const after = await requestsCounted(service);
    assert.equal(after.get(SMUGGLED_ROUTE), before.get(SMUGGLED_ROUTE), `seed ${seed}`);
    const counted = (after.get("unmatched") ?? 0) - (before.get("unmatched") ?? 0);
    assert.ok(answered > CASES / 4 && counted >= answered && counted <= CASES, `${answered} of ${counted}`);
    assert.equal(service.process.exitCode, null);
    assert.doesNotMatch(service.log(), /"level":[56]0/);
  });
});
