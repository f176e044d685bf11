import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { compiled } from "../service/actor-parts.js";
import type { FloodJob, FloodReply } from "../workers/flood-worker.js";
import { median } from "./figures.js";
import { eventually } from "../service/service.js";

/** Runs one flood in a separate process. */
export async function flood(job: FloodJob): Promise<FloodReply> {
  const child = fork(compiled("test/support/workers/flood-worker.js"), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    child.send(job);
    const [reply] = (await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => {
        throw new Error(`the flood ended with ${code}`);
      }),
    ])) as [FloodReply];
    return reply;
  } finally {
    child.disconnect();
  }
}

/** Connections that send nothing. If the service closes one for its silence, another is opened. */
export interface IdleConnections {
  /**
   * The usual number of open connections. Connections that were opened together are closed and opened again together.
   */
  open(): number;
  close(): void;
}

const OPENED_AT_ONCE = 100;
const REOPEN_AFTER_MS = 100;
const COUNTED_EVERY_MS = 100;
const sockets = new Set<Socket>();
let holding = true;
after(() => {
  holding = false;
  for (const socket of sockets) socket.destroy();
});

export async function holdIdleConnections(url: string, count: number): Promise<IdleConnections> {
  const { hostname, port } = new URL(url);
  let open = 0;
  let isOver = false;
  const hold = (): void => {
    if (isOver || !holding) return;
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    let counted = false;
    socket.on("connect", () => {
      open++;
      counted = true;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (counted) open--;
      setTimeout(hold, REOPEN_AFTER_MS);
    });
    socket.resume();
  };
  for (let opened = 0; opened < count; opened += OPENED_AT_ONCE) {
    for (let i = 0; i < Math.min(OPENED_AT_ONCE, count - opened); i++) hold();
    await sleep(10);
  }
  await eventually(async () => {
    if (open < count) throw new Error(`${open} of ${count} connections are open`);
  });
  const counts = [open];
  const counting = setInterval(() => counts.push(open), COUNTED_EVERY_MS).unref();
  return {
    open: () => median(counts),
    close() {
      isOver = true;
      clearInterval(counting);
      for (const socket of sockets) socket.destroy();
    },
  };
}
