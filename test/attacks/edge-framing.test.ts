import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from "node:http2";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { chunkedRequest, inPackets, SMUGGLED_ROUTE } from "../support/http/chunked-requests.js";
import { edgeSkip, startEdgeProxy, type EdgeProxy } from "../support/edge/edge-proxy.js";
import { startKeptAliveServer, type KeptAliveServer } from "../support/http/kept-alive-server.js";
import { http2Status } from "../support/http/raw-http2.js";
import { requestText, type RawConnection } from "../support/http/raw-http.js";
import { requestsCounted } from "../support/service/requests-counted.js";
import { decisionBody, sendRead, startTestService, type RunningService } from "../support/service/service.js";

/**
 * One request at the edge is one request at the node, however it is framed. test/attacks/chunked-requests.test.ts tests
 * this without the edge.
 */
let service: RunningService;
let edge: EdgeProxy;
before(async () => {
  if (edgeSkip !== false) return;
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0", TRUST_PROXY_HOPS: "1" });
  edge = await startEdgeProxy(service.url);
});

type Headers = readonly (readonly [string, string])[];
const CHUNKED = ["transfer-encoding", "chunked"] as const;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const LINE = `${SMUGGLED_ROUTE} HTTP/1.1\r\nhost: e\r\n\r\n`;
const decision = (orderId: string): string => JSON.stringify(decisionBody({ order_id: orderId }));

const head = (path = "/v1/decision", more: Headers = []): string =>
  requestText(
    "POST",
    path,
    [["x-api-key", service.key], ["content-type", "application/json"], CHUNKED, ...more],
    "",
  );

function session(to: EdgeProxy): ClientHttp2Session {
  const client = connect(to.url.replace("localhost", "127.0.0.1"), {
    ca: to.certificate,
    servername: "localhost",
  });
  client.on("error", () => undefined);
  return client;
}

/** Sends a POST without a content length. Each of `parts` is one data frame. Trailers follow if there are any. */
async function http2Post(
  client: ClientHttp2Session,
  path: string,
  parts: readonly string[],
  trailers: OutgoingHttpHeaders | null,
  headers: OutgoingHttpHeaders = {},
): Promise<{ status: unknown; body: string }> {
  const stream = client.request(
    {
      ":method": "POST",
      ":path": path,
      "x-api-key": service.key,
      "content-type": "application/json",
      ...headers,
    },
    { waitForTrailers: trailers !== null },
  );
  if (trailers !== null) stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  const answered = once(stream, "response") as Promise<[{ ":status"?: number }]>;
  // Node never closes a stream whose answer was complete before the end of its own request was sent.
  const ended = once(stream, "end");
  ended.catch(() => undefined);
  let body = "";
  stream.setEncoding("utf8").on("data", (text: string) => (body += text));
  for (const part of parts) stream.write(part);
  stream.end();
  const [{ ":status": status }] = await answered;
  await ended;
  stream.close();
  return { status, body };
}

async function stored(orderId: string): Promise<unknown> {
  return (await sendRead(service, "GET", `/v1/decisions?order_id=${orderId}`)).json["total"];
}

describe("the edge in front of trailers", { skip: edgeSkip }, () => {
  const trailers: readonly (readonly [string, string])[] = [
    ["x-checksum", "abc"],
    ["a", `${SMUGGLED_ROUTE} HTTP/1.1`],
  ];

  it("over HTTP/1.1 and HTTP/2: answers as without them, stores once, and makes no further request", async () => {
    const before = await requestsCounted(service);
    const client = session(edge);
    for (const [index, [name, value]] of trailers.entries()) {
      const connection = await edge.open();
      connection.write(`${head()}${chunk(decision(`h1_${index}`))}0\r\n${name}: ${value}\r\nhost: e\r\n\r\n`);
      assert.equal((await connection.reply()).status, 200);
      connection.write(requestText("GET", "/health"));
      assert.equal((await connection.reply()).status, 200);
      connection.destroy();
      const { status, body } = await http2Post(client, "/v1/decision", [decision(`h2_${index}`)], {
        [name]: value,
      });
      assert.equal(status, 200, body);
      assert.deepEqual([await stored(`h1_${index}`), await stored(`h2_${index}`)], [1, 1]);
    }
    client.close();
    const after = await requestsCounted(service);
    assert.equal(after.get(SMUGGLED_ROUTE), before.get(SMUGGLED_ROUTE));
    assert.equal(Number(after.get("/v1/decision")) - (before.get("/v1/decision") ?? 0), 4);
  });

  it("chunked bodies of any size that end without trailers are answered, over both", async () => {
    const policy = JSON.stringify({
      merchant_id: "demo_merchant",
      name: "n".repeat(100),
      rules: [],
      note: " ".repeat(100_000),
    });
    const connection = await edge.open();
    connection.write(`${head("/v1/policies")}${chunk(policy)}0\r\n\r\n`);
    const { status } = await connection.reply();
    connection.destroy();
    const client = session(edge);
    const second = await http2Post(client, "/v1/policies", [policy], null);
    client.close();
    // Both bodies are read to the end, and the answers name the invalid field.
    assert.deepEqual([status, second.status], [400, 400]);
    assert.match(second.body, /"path":"note"/);
  });
});

describe("the edge in front of a node that keeps every connection", { skip: edgeSkip }, () => {
  let node: KeptAliveServer;
  let front: EdgeProxy;
  before(async () => {
    if (edgeSkip !== false) return;
    node = await startKeptAliveServer();
    front = await startEdgeProxy(node.url);
  });

  const whole = "POST /whole HTTP/1.1\r\nhost: e\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n";
  const large = `POST /large HTTP/1.1\r\nhost: e\r\ntransfer-encoding: chunked\r\n\r\n${chunk("z".repeat(60_000))}0\r\n`;
  const innocent = "GET /innocent HTTP/1.1\r\nhost: e\r\n\r\n";
  const withInnocent = async (text: string): Promise<void> => {
    const connection = await front.open();
    connection.write(text);
    assert.equal((await connection.reply()).status, 200);
    connection.write(innocent);
    assert.equal((await connection.reply()).status, 200);
    connection.destroy();
  };

  it("forwards a complete body with its length and without trailers", async () => {
    await withInnocent(`${whole}a: ${LINE}`);
    await withInnocent(whole.replace("2\r\n{}", '1;a="b"\r\n{\r\n01\r\n}').concat("x: y\r\n\r\n"));
    // HAProxy gives Transfer-Encoding precedence and closes the connection.
    const both = await front.open();
    both.write(`${whole.replace("host", "content-length: 7\r\nhost")}\r\n${innocent}`);
    assert.equal((await both.reply()).status, 200);
    await both.closed();
    const client = session(front);
    assert.equal((await http2PostTo(client, "/whole", "{}")).status, 200);
    client.close();
    const received = node.connections().join("");
    const posts = received.match(/POST \/whole HTTP\/1\.1\r\n(?:.+\r\n)*\r\n(?:\{\})?/g) ?? [];
    assert.equal(posts.length, 4);
    for (const post of posts) {
      assert.match(post, /\r\ncontent-length: 2\r\n(?:.+\r\n)*\r\n\{\}$/);
    }
    assert.doesNotMatch(received, /transfer-encoding|x-checksum|a: |x: y/i);
  });

  it("ends the connection after a larger body, over HTTP/1.1 and HTTP/2", async () => {
    await withInnocent(`${large}a: ${LINE}`);
    const client = session(front);
    assert.equal((await http2PostTo(client, "/large", "z".repeat(60_000))).status, 200);
    client.close();
    await withInnocent(innocent);
    const larges = node.connections().filter((text) => text.includes("POST /large"));
    assert.equal(larges.length, 2);
    for (const text of larges) {
      assert.match(text, /\r\nconnection: close\r\n/);
      assert.doesNotMatch(text.slice(text.indexOf("POST /large")), /GET \/innocent/);
    }
  });

  const http2PostTo = (client: ClientHttp2Session, path: string, body: string) =>
    http2Post(client, path, [body], { "x-checksum": "abc" }, { "x-api-key": "none" });
});

describe("the edge in front of control characters in headers", { skip: edgeSkip }, () => {
  const CONTROLS = [0, 1, 7, 8, 0x0b, 0x0c, 0x1b, 0x1f, 0x7f].map((code) => String.fromCharCode(code));
  const answerTo = async (header: string, path = "/health"): Promise<RawConnection> => {
    const connection = await edge.open();
    connection.write(Buffer.from(`GET ${path} HTTP/1.1\r\nhost: e\r\n${header}\r\n\r\n`, "latin1"));
    return connection;
  };

  it("HTTP/1.1: 400 to each, in values and names, at their ends and folded", async () => {
    const before = await requestsCounted(service);
    const headers = CONTROLS.flatMap((control) => [
      `x: a${control}b`,
      `x: ${control}`,
      `x: a${control}`,
      `x${control}: a`,
      `x: a\r\n ${control}b`,
    ]);
    for (const header of [...headers, "x: a\rb", "x: a\nb", "x\xff: a"]) {
      const connection = await answerTo(header, SMUGGLED_ROUTE);
      assert.equal((await connection.reply()).status, 400, JSON.stringify(header));
      connection.destroy();
    }
    const after = await requestsCounted(service);
    assert.equal(after.get(SMUGGLED_ROUTE), before.get(SMUGGLED_ROUTE));
  });

  it("HTTP/1.1: refuses a value in the service's format", async () => {
    const reply = await (await answerTo("x: \x07")).reply();
    assert.deepEqual(reply.headers.get("content-type"), ["application/json; charset=utf-8"]);
    assert.equal((JSON.parse(reply.body) as { statusCode: number }).statusCode, 400);
  });

  it("HTTP/2: 400 or the end of the stream to each", async () => {
    for (const control of [...CONTROLS, "\r", "\n"]) {
      for (const header of [
        ["x", `a${control}b`],
        [`x${control}`, "a"],
      ] as const) {
        const status = await http2Status(edge.url, edge.certificate, header);
        assert.ok(status === 400 || status === "refused", `${JSON.stringify(header)}: ${status}`);
      }
    }
  });

  it("passes tabs, folds and bytes from 0x80 on", async () => {
    for (const header of ["x: a\tb", "x: a\r\n b", "x: caf\xe9", "x: \u00c3\u00a9"]) {
      const connection = await answerTo(header);
      assert.equal((await connection.reply()).status, 200, JSON.stringify(header));
      connection.destroy();
    }
    assert.equal(await http2Status(edge.url, edge.certificate, ["x", "a\tb\xe9"]), 200);
  });
});

describe("the edge in front of generated chunked requests", { skip: edgeSkip }, () => {
  /** Each run sends other cases, because the current time is the seed. */
  const HTTP1_CASES = 3000;
  const HTTP2_CASES = 2250;
  const CONNECTIONS = 24;
  const ANSWER_MS_MAX = 30_000;
  const LATE_MAX = 20;
  /** The node answers this path with 404 and counts it under the label of unknown routes. */
  const PATH = "/fuzz";
  const IN_A_HURRY = 0;

  it("one request in is one request at the node, and parallel requests are answered", async (t) => {
    const seed = Date.now();
    const before = await requestsCounted(service);
    let done = false;
    let innocents = 0;
    const askInnocently = async (): Promise<void> => {
      const connection = await edge.open();
      const text = requestText(
        "POST",
        "/v1/decision",
        [
          ["x-api-key", service.key],
          ["content-type", "application/json"],
        ],
        JSON.stringify(decisionBody()),
      );
      while (!done) {
        connection.write(text);
        assert.equal((await inTime(connection.reply(), "innocent")).status, 200, `seed ${seed}`);
        innocents++;
        await sleep(10);
      }
      connection.destroy();
    };
    const inTime = async <T>(answer: Promise<T>, what: string): Promise<T> => {
      const timer = new AbortController();
      const late = sleep(ANSWER_MS_MAX, null, { signal: timer.signal }).then(() => {
        throw new Error(`seed ${seed}: no answer to ${what}`);
      });
      late.catch(() => undefined);
      try {
        return await Promise.race([answer, late]);
      } finally {
        timer.abort();
      }
    };

    /** On a starved host a few requests take longer than the edge waits. */
    let late = 0;
    let answeredByNode = 0;
    let refused = 0;
    let pipelined = 0;
    /** Requests after a fault that the edge may tolerate, such as a bare line feed. */
    let doubtful = 0;
    const cases = fc.sample(chunkedRequest("{}"), { numRuns: HTTP1_CASES, seed });
    let next = 0;
    const sendHttp1 = async (): Promise<void> => {
      let connection = await edge.open();
      for (let index = next++; index < HTTP1_CASES; index = next++) {
        const request = cases[index] as (typeof cases)[number];
        const packets = inPackets(head(PATH) + request.wire, request);
        const said = `case ${index}: ${JSON.stringify(packets)}`;
        for (const packet of packets) {
          connection.write(Buffer.from(packet, "latin1"));
          if (packets.length > 1) await sleep(IN_A_HURRY);
        }
        if (request.isLegal) {
          const { status } = await inTime(connection.reply(), said);
          if (status === 408 && late++ < LATE_MAX) {
            connection.destroy();
            connection = await edge.open();
            continue;
          }
          assert.equal(status, 404, `seed ${seed} ${said}`);
          answeredByNode++;
          if (request.isPipelined) {
            assert.equal((await inTime(connection.reply(), said)).status, 401, `seed ${seed} ${said}`);
            pipelined++;
          }
          continue;
        }
        // Only the edge knows where it ends a malformed request, so any answer is accepted. The test then destroys the
        // connection, which discards all remaining bytes.
        const reply = await Promise.race([connection.reply().catch(() => null), sleep(50, null)]);
        if (reply?.status === 404) answeredByNode++;
        else refused++;
        if (request.isPipelined) doubtful++;
        connection.destroy();
        connection = await edge.open();
      }
      connection.destroy();
    };
    const frames = fc.sample(
      fc.record({
        parts: fc.array(fc.constantFrom("", "{", "}", "{}", " ".repeat(3000)), { maxLength: 4 }),
        trailers: fc.option(
          fc.dictionary(
            fc.constantFrom("x-checksum", "a", "ge", "x"),
            fc.constantFrom("abc", "", `${SMUGGLED_ROUTE} HTTP/1.1`, "y".repeat(2000)),
            { minKeys: 1, maxKeys: 3 },
          ),
          { nil: null },
        ),
      }),
      { numRuns: HTTP2_CASES, seed },
    );
    let nextFrames = 0;
    const sendHttp2 = async (): Promise<void> => {
      let client = session(edge);
      for (let index = nextFrames++; index < HTTP2_CASES; index = nextFrames++) {
        const { parts, trailers } = frames[index] as (typeof frames)[number];
        const said = `HTTP/2 case ${index}: ${JSON.stringify([parts, trailers])}`;
        const ask = (): Promise<{ status: unknown }> =>
          inTime(http2Post(client, PATH, parts, trailers), said);
        // The edge ends a session when data arrives for a stream that it has answered with 408.
        const lost = (error: Error): { status: unknown } => {
          client.destroy();
          client = session(edge);
          return { status: error.message };
        };
        let { status } = await ask().catch(lost);
        for (; status !== 404 && late < LATE_MAX; late++) ({ status } = await ask().catch(lost));
        assert.equal(status, 404, `seed ${seed} ${said}`);
        answeredByNode++;
      }
      client.close();
    };
    const asking = Promise.all(Array.from({ length: 4 }, askInnocently));
    try {
      await Promise.all([
        ...Array.from({ length: CONNECTIONS }, sendHttp1),
        ...Array.from({ length: CONNECTIONS / 3 }, sendHttp2),
      ]);
    } finally {
      done = true;
      await asking;
    }
    const after = await requestsCounted(service);
    const counted = (route: string): number => (after.get(route) ?? 0) - (before.get(route) ?? 0);
    t.diagnostic(
      `${answeredByNode} answered by the node, ${refused} refused, ${late} late, ${innocents} innocents`,
    );
    const behind = counted(SMUGGLED_ROUTE);
    assert.ok(behind >= pipelined && behind <= pipelined + doubtful, `seed ${seed}: ${behind}`);
    assert.equal(counted("/v1/decision"), innocents, `seed ${seed}`);
    // A request that was refused or given up can still have reached the node.
    const unmatched = counted("unmatched");
    assert.ok(unmatched >= answeredByNode && unmatched <= answeredByNode + refused + late, `seed ${seed}`);
    // The edge itself asks for /ready and /health, and this test for /metrics.
    const asked = [...after.keys()].filter(
      (route) => counted(route) > 0 && !/^\/(?:ready|health|metrics)$/.test(route),
    );
    assert.deepEqual(
      asked.toSorted(),
      ["/v1/decision", SMUGGLED_ROUTE, "unmatched"].toSorted(),
      `seed ${seed}`,
    );
  });
});
