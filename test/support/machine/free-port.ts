import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

const HOST = "127.0.0.1";
/**
 * The range lies below the kernel's ports for outgoing connections (32768 and up). A port therefore stays free until a
 * service listens on it, and while a killed service starts again.
 */
const FIRST = 16_000;
const COUNT = 16_000;

/**
 * Finds a TCP port of 127.0.0.1 that nothing listens on. No other process gets it until this process ends, because this
 * process holds the UDP port of the same number. Fails when no port is left.
 */
export async function freePort(): Promise<number> {
  const start = Math.floor(Math.random() * COUNT);
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + ((start + tries) % COUNT);
    const claim = createSocket("udp4").unref();
    claim.bind({ port, address: HOST, exclusive: true });
    if (!(await isListening(claim))) continue;
    const server = createServer().listen(port, HOST);
    if (await isListening(server)) {
      server.close();
      await once(server, "close");
      return port;
    }
    claim.close();
  }
  throw new Error("no free port");
}

/** False when another process has the port. */
async function isListening(socket: NodeJS.EventEmitter): Promise<boolean> {
  try {
    await once(socket, "listening");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw error;
  }
}
