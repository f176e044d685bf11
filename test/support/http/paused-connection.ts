import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type PausedConnection = Socket & {
  received(): string;
  receivedBytes(): number;
  /** Whether the server has closed the connection. Only a client that reads notices that. */
  isCut(): boolean;
};

/** Opens a connection to this host. Nothing is read from it before `resume`. */
export async function openPaused(port: number): Promise<PausedConnection> {
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  const chunks: Buffer[] = [];
  let cut = false;
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => (cut = true)).on("close", () => (cut = true));
  socket.pause();
  return Object.assign(socket, {
    received: () => Buffer.concat(chunks).toString("latin1"),
    receivedBytes: () => chunks.reduce((bytes, chunk) => bytes + chunk.length, 0),
    isCut: () => cut,
  });
}
