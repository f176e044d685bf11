import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 50;

/**
 * Lets one build run at a time in a checkout. The lock is a name among Linux' abstract sockets. It is free again when
 * its holder dies, so no lock is left behind. The lock only saves work: builds do not disturb each other, because each
 * has its own folder.
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
      if (tries === 0) log("another command is building; waiting for it");
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
