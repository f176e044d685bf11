import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { closeLater } from "../closing.js";

/** A request that arrived completely. */
export interface ReceivedRequest {
  /** `POST /v1/decision` */
  line: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The number of the connection, from 0. Requests on one connection share it. */
  connection: number;
}

/** The server's reaction to a request. `index` counts requests from 0. */
export type Behaviour = (socket: Socket, request: ReceivedRequest, index: number) => void;

export interface ScriptedServer {
  url: string;
  requests: ReceivedRequest[];
}

/**
 * Starts a server on a loopback port, a free one by default. For each request the test acts on the raw socket. The
 * server itself speaks no HTTP.
 */
export async function startScriptedServer(behave: Behaviour, port = 0): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    open.add(socket);
    let received = "";
    // In some tests the client goes away on purpose.
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      for (;;) {
        const request = parse(received);
        if (request === null) return;
        received = received.slice(request.chars);
        const { line, headers, body } = request;
        const arrived = { line, headers, body, connection };
        behave(socket, arrived, requests.push(arrived) - 1);
      }
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  closeLater(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

function parse(text: string): (Omit<ReceivedRequest, "connection"> & { chars: number }) | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [first = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const chars = headEnd + 4 + Number(headers["content-length"] ?? 0);
  if (text.length < chars) return null;
  const body = Buffer.from(text.slice(headEnd + 4, chars), "latin1").toString("utf8");
  return { line: first.replace(/ HTTP\/1\.1$/, ""), headers, body, chars };
}

/** Writes a complete answer. The connection stays open. */
export function reply(
  socket: Socket,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    "x-request-id": "req_scripted",
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Scripted\r\n${head.join("")}\r\n${text}`);
}

/** The service's answer to a routed decision. */
export function decisionReply(decisionId = "dec_scripted"): Record<string, unknown> {
  return {
    decision_id: decisionId,
    merchant_id: "demo_merchant",
    mode: "test",
    decision_mode: "enforce",
    action: "route",
    route: { primary_provider: "provider_2", fallback_provider: null },
    reason_codes: ["HIGHER_EXPECTED_APPROVAL_RATE"],
    ttl_ms: 3000,
  };
}
