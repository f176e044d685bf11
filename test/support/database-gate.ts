import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { after } from "node:test";

/** A way to a PostgreSQL on a unix socket that can be shut: what a node sees when the database's machine is gone. */
export interface DatabaseGate {
  /** Stays the same; nothing answers there while the gate is shut. */
  url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** `url` names the socket's directory in its `host` parameter. */
export async function createDatabaseGate(url: string): Promise<DatabaseGate> {
  const socketPath = join(
    new URL(url.replace("@/", "@localhost/")).searchParams.get("host") as string,
    ".s.PGSQL.5432",
  );
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  };
  let server: Server | null = null;
  let port = 0;
  const gate: DatabaseGate = {
    url: "",
    async open() {
      server = createServer((client) => {
        const database = connect(socketPath);
        track(client);
        track(database);
        client.pipe(database).pipe(client);
        client.on("close", () => database.destroy());
        database.on("close", () => client.destroy());
      });
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as { port: number }).port;
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
  after(() => gate.shut());
  return gate;
}
