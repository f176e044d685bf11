import { setTimeout as sleep } from "node:timers/promises";

const MINUTE_MS = 60_000;
/** Most counted runs finish within this time. */
const ROOM_MS = 10_000;
const TRIES = 3;

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS);

async function untilTheNextMinute(): Promise<void> {
  await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + 50);
}

/**
 * Runs something whose rate limit is counted exactly. Rate limits count by minutes of the wall clock, so the run must
 * not span two. It begins when the minute has room left. A run that fails while the minute changes proves nothing and
 * is repeated. A run that fails within one minute fails.
 */
export async function inOneMinute(run: () => Promise<void>): Promise<void> {
  if (MINUTE_MS - (Date.now() % MINUTE_MS) < ROOM_MS) await untilTheNextMinute();
  for (let tries = 1; ; tries++) {
    const minute = minuteNow();
    try {
      return await run();
    } catch (error) {
      if (minuteNow() === minute || tries === TRIES) throw error;
    }
    await untilTheNextMinute();
  }
}
