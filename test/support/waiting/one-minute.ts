import { setTimeout as sleep } from "node:timers/promises";

const MINUTE_MS = 60_000;
/** Seldom shorter than what is counted takes. */
const ROOM_MS = 10_000;
const TRIES = 3;

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS);

async function untilTheNextMinute(): Promise<void> {
  await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + 50);
}

/**
 * Rate limits count in the wall clock's minutes: what is to be counted exactly must not straddle two. Begins where a
 * minute has room; a run that failed while the minute turned says nothing, and is made again in a minute of its own.
 * A run that failed within one minute fails.
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
