import { createServer, type AddressInfo, type Socket } from "node:net";
import { closeLater } from "../closing.js";

/** The simplest node: it answers each head at once and never closes a connection. */
export interface KeptAliveServer {
  url: string;
  /** The text received on each connection, without the edge's own health checks. */
  connections(): readonly string[];
}

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const CHECK = /^GET \/(?:ready|health) HTTP\/1\.1\r\n(?:.+\r\n)*connection: close\r\n/;

export async function startKeptAliveServer(): Promise<KeptAliveServer> {
  const received = new Map<Socket, string>();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (CHECK.test(text)) return void socket.end(ANSWER);
      received.set(socket, (received.get(socket) ?? "") + text);
      if (text.includes(" HTTP/1.1\r\n")) socket.write(ANSWER);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(async () => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => [...received.values()],
  };
}
