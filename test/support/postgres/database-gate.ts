import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { closeLater } from "../closing.js";

/**
 * A gate in front of a PostgreSQL on a unix socket. A shut gate looks to a node as if the database's machine were gone.
 */
export interface DatabaseGate {
  /** The address never changes. Nothing answers there while the gate is shut. */
  url: string;
  shut(): Promise<void>;
  /** Answers new connections. Stalled connections stay stalled. */
  open(): Promise<void>;
  /** Keeps connections and accepts new ones, but answers nothing, like a database that hangs. */
  stall(): Promise<void>;
  /** The number of connections made through the gate, and the number still open. */
  connections(): { taken: number; open: number };
}

/** The `host` parameter of `url` names the socket's directory. */
export async function createDatabaseGate(url: string): Promise<DatabaseGate> {
  const socketPath = join(
    new URL(url.replace("@/", "@localhost/")).searchParams.get("host") as string,
    ".s.PGSQL.5432",
  );
  const sockets = new Set<Socket>();
  const clients = { taken: 0, open: 0 };
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  };
  let server: Server | null = null;
  let port = 0;
  let answers = true;
  const accept = (client: Socket): void => {
    clients.taken += 1;
    clients.open += 1;
    client.on("close", () => (clients.open -= 1));
    if (!answers) return track(client);
    const database = connect(socketPath);
    track(client);
    track(database);
    client.pipe(database).pipe(client);
    client.on("close", () => database.destroy());
    database.on("close", () => client.destroy());
  };
  const listen = async (): Promise<void> => {
    server = createServer(accept);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as { port: number }).port;
  };
  const gate: DatabaseGate = {
    url: "",
    connections: () => ({ ...clients }),
    async open() {
      answers = true;
      if (server === null) await listen();
    },
    async stall() {
      answers = false;
      for (const socket of sockets) socket.unpipe().pause();
      if (server === null) await listen();
    },
    async shut() {
      if (server === null) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      server = null;
    },
  };
  await gate.open();
  gate.url = url.replace(/@\/([^?]*)\?.*$/, `@127.0.0.1:${port}/$1`);
  closeLater(() => gate.shut());
  return gate;
}
