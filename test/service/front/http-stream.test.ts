import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Exchange } from "../../../src/platform/http/exchange.js";
import { startHttpServer, type HttpServer } from "../../../src/path/front/server.js";
import { eventually } from "../../support/service/service.js";
import { nextRequestId, REQUEST_ID } from "../../support/service/request-ids.js";

const PART = `${"#".repeat(64 * 1024 - 1)}\n`;
const PARTS = 400;

/** What the test's route does with its exchange. The variables below it hold the results. */
let produce: (exchange: Exchange) => Promise<void> = async () => undefined;
let server: HttpServer;
let observed: number[] = [];
let errors: unknown[] = [];
before(async () => {
  server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    routes: [{ method: "GET", path: "/stream", access: "public", handle: (exchange) => produce(exchange) }],
    admit: () => undefined,
    admitSession: async () => undefined,
    admitAttempt: async () => undefined,
    trustProxyHops: 0,
    observerOf: () => (status) => void observed.push(status),
    nextRequestId,
    onHandlerError: (error) => void errors.push(error),
  });
});
/** Set by the last test. */
let stopped: Promise<void> | null = null;
after(() => stopped ?? server.stop(0));

const url = (): string => `http://127.0.0.1:${server.port}/stream`;
const begin = (handle: typeof produce): void => {
  produce = handle;
  observed = [];
  errors = [];
};

describe("an answer in parts", () => {
  it("arrives completely and in order, with the headers of every answer, and is observed once as a 200", async () => {
    begin(async (exchange) => {
      exchange.startStream("application/x-ndjson; charset=utf-8");
      for (let part = 0; part < 50; part++) assert.equal(await exchange.writePart(`${part}\n`), true);
      exchange.endStream();
    });
    const response = await fetch(url());
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.match(response.headers.get("x-request-id") ?? "", REQUEST_ID);
    assert.equal(await response.text(), Array.from({ length: 50 }, (_, part) => `${part}\n`).join(""));
    assert.deepEqual(observed, [200]);
  });

  it("waits for a peer that does not read, and loses nothing when it does", async () => {
    let written = 0;
    let ended = false;
    begin(async (exchange) => {
      exchange.startStream("text/plain");
      while (written < PARTS && (await exchange.writePart(PART))) written++;
      exchange.endStream();
      ended = true;
    });
    const socket = connect({ host: "127.0.0.1", port: server.port });
    await once(socket, "connect");
    socket.write("GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let before = -1;
    // The producer continues until the socket buffers are full, which is far from the end of the stream.
    await eventually(async () => {
      const now = written;
      const unchanged = now === before && now > 0;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.ok(unchanged && written === now);
    });
    assert.ok(written < PARTS, "the peer reads nothing, and all was written");
    assert.equal(ended, false);
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 0x23) bytes++;
    });
    await eventually(async () => assert.equal(bytes, PARTS * (PART.length - 1)));
    assert.equal(ended, true);
    socket.destroy();
  });

  it("reports once that a peer goes away, and accepts no more data", async () => {
    let gone = 0;
    let results: boolean[] = [];
    begin(async (exchange) => {
      exchange.onPeerGone(() => void gone++);
      exchange.startStream("text/plain");
      while (await exchange.writePart(PART));
      results = [await exchange.writePart(PART), exchange.done];
      exchange.endStream();
    });
    const socket = connect({ host: "127.0.0.1", port: server.port });
    await once(socket, "connect");
    socket.write("GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await once(socket, "readable");
    socket.destroy();
    await eventually(async () => assert.deepEqual(results, [false, true]));
    assert.equal(gone, 1);
    assert.deepEqual(observed, []);
  });

  it("a failure in the middle aborts the answer instead of ending it", async () => {
    begin(async (exchange) => {
      exchange.startStream("text/plain");
      await exchange.writePart("some\n");
      // Data written in the turn of the request is sent at the end of that turn.
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error("in the middle");
    });
    const response = await fetch(url());
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
    assert.equal(errors.length, 1);
  });

  it("the connection serves the next request after a stream", async () => {
    begin(async (exchange) => {
      exchange.startStream("text/plain");
      await exchange.writePart("a");
      exchange.endStream();
    });
    for (let request = 0; request < 3; request++) assert.equal(await (await fetch(url())).text(), "a");
  });

  it("a chunked request gets the complete answer, which is the last on its connection", async () => {
    begin(async (exchange) => {
      exchange.startStream("text/plain");
      await exchange.writePart("some\n");
      await exchange.writePart("more\n");
      exchange.endStream();
    });
    const { text, connection } = await askInChunks();
    assert.deepEqual([text, connection], ["some\nmore\n", "close"]);
    assert.deepEqual(observed, [200]);
  });

  // This test comes last, because it stops the server.
  it("is complete even if the server stops meanwhile", async () => {
    begin(async (exchange) => {
      exchange.startStream("text/plain");
      await exchange.writePart("some\n");
      stopped = server.stop(5_000);
      await exchange.writePart("more\n");
      exchange.endStream();
    });
    assert.equal(await (await fetch(url())).text(), "some\nmore\n");
  });
});

/** Sends a GET whose body comes in chunks. */
function askInChunks(): Promise<{ text: string; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(url(), { agent: false, headers: { "transfer-encoding": "chunked" } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("error", reject);
      response.on("end", () => resolve({ text, connection: response.headers.connection }));
    });
    sent.on("error", reject);
    sent.end("{}");
  });
}
