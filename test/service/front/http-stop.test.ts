import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Exchange } from "../../../src/platform/http/exchange.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { startPublicServer } from "../../support/service/public-server.js";

describe("a server that stops", () => {
  it("survives a body in small pieces after its answer", async () => {
    const server = await startPublicServer([
      {
        method: "POST",
        path: "/refused",
        access: "public",
        handle(exchange: Exchange) {
          exchange.onData({ receive: () => undefined });
          exchange.send(400, "{}");
        },
      },
    ]);
    const socket = connect({ host: "127.0.0.1", port: server.port });
    await once(socket, "connect");
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1"))).on("error", () => undefined);
    const closed = once(socket, "close");
    const stopped = server.stop(5000);
    const pieces = "1\r\nA\r\n".repeat(TUNING.bodyPiecesMax * 2);
    socket.write(`POST /refused HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${pieces}`);
    await closed;
    assert.match(received, /^HTTP\/1\.1 400 /);
    await stopped;
  });

  it("closes no connection before its answer, however quiet it is, and stops before its deadline", async (t) => {
    const held: Exchange[] = [];
    const server = await startPublicServer([
      {
        method: "GET",
        path: "/held",
        access: "public",
        handle: (exchange: Exchange) => void held.push(exchange),
      },
    ]);
    const socket = connect({ host: "127.0.0.1", port: server.port });
    await once(socket, "connect");
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1"))).on("error", () => undefined);
    const closed = once(socket, "close");
    socket.write("GET /held HTTP/1.1\r\nhost: a\r\n\r\n");
    while (held.length === 0) await nextTurn();

    let nowMs = 0;
    const clock = t.mock.method(performance, "now", () => nowMs);
    let hasStopped = false;
    const stopped = server.stop(60_000).then(() => (hasStopped = true));
    // Nothing has happened for a long time. The server checks repeatedly and waits.
    nowMs = 30_000;
    const looksUntil = clock.mock.callCount() + 6;
    while (!hasStopped && clock.mock.callCount() < looksUntil) await nextTurn();
    assert.equal(hasStopped, false);
    held[0]?.send(200, "{}");
    await closed;
    assert.match(received, /^HTTP\/1\.1 200 /);
    nowMs = 45_000;
    await stopped;
  });
});
