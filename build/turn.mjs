import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 50;

/**
 * One build at a time in a checkout. The lock is a name among Linux' abstract sockets, which is free again with the
 * death of who holds it: none is left behind, and none has to be taken over. It only spares work. What keeps builds
 * apart is that each has a folder of its own.
 */
export async function inTurn(root, log, work) {
  const path = `\0payinference-build-${createHash("sha256").update(root).digest("hex")}`;
  const lock = createServer();
  for (let tries = 0; ; tries++) {
    try {
      lock.listen({ path, exclusive: true });
      await once(lock, "listening");
      break;
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
      if (tries === 0) log("another command builds; waiting for it");
      await sleep(POLL_MS);
    }
  }
  try {
    await work();
  } finally {
    lock.close();
    await once(lock, "close");
  }
}
