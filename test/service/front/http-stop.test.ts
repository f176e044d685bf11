import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import type { Exchange } from "../../../src/platform/http/exchange.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { startPublicServer } from "../../support/service/public-server.js";

describe("a server that stops", () => {
  it("outlives a body in small pieces behind its answer", async () => {
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
    const pieces = "1\r\nA\r\n".repeat(LIMITS.bodyPiecesMax * 2);
    socket.write(`POST /refused HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${pieces}`);
    await closed;
    assert.match(received, /^HTTP\/1\.1 400 /);
    await stopped;
  });
});
