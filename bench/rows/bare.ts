import { App, us_listen_socket_close, us_socket_local_port, type us_listen_socket } from "uWebSockets.js";

/**
 * Row (a) measures the cost of HTTP alone. It reads the whole body and answers a constant as long as a decision. It
 * parses, decides and records nothing. No service built on this HTTP server can be faster.
 */
const REPLY = JSON.stringify({ decision_id: "dec_00000000000000000000000000", padding: "x".repeat(1040) });

let listener: us_listen_socket | undefined;
App()
  .post("/v1/decision", (response) => {
    response.onAborted(() => {});
    response.onData((_chunk, isLast) => {
      if (!isLast) return;
      response.cork(() => {
        response.writeHeader("content-type", "application/json; charset=utf-8").end(REPLY);
      });
    });
  })
  .listen("127.0.0.1", 0, (token) => {
    if (token === false) throw new Error("no port to listen on");
    listener = token;
    process.send?.({ port: us_socket_local_port(token) });
  });

process.on("disconnect", () => {
  if (listener !== undefined) us_listen_socket_close(listener);
  process.exit(0);
});
