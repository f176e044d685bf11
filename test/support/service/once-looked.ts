import assert from "node:assert/strict";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { eventually, type RunningService } from "./service.js";

/** One look may have begun before the change was written, and one more is over before its effect is asked for. */
const LOOKS_MAX = 3;
/** POL-13. A node that hears of nothing looks so often. */
assert.ok(LOOKS_MAX * TUNING.changesIntervalMs < 5000, "every node knows a publication after 5 s");

/** Until when the node has gone by every change. */
async function lookedUntil({ metricsUrl }: RunningService): Promise<string> {
  const metrics = await (await fetch(metricsUrl)).text();
  return /^payinference_changes_caught_up_timestamp_seconds (\S+)$/m.exec(metrics)?.[1] ?? "";
}

/**
 * What `check` resolves to, on each node, once it goes by what was written before the call. POL-13 gives that 5 s, and a
 * starved host may need longer: so it is judged by how often the node has looked for changes meanwhile.
 */
export async function onceLooked<T>(service: RunningService, check: () => Promise<T>): Promise<T> {
  const looksOf = new Map<string, Set<string>>();
  const answer = await eventually(async () => {
    const looks = looksOf.get(service.metricsUrl) ?? new Set<string>();
    looksOf.set(service.metricsUrl, looks);
    // Before the check: what a look brought must show in it.
    looks.add(await lookedUntil(service));
    return check();
  });
  for (const looks of looksOf.values()) {
    assert.ok(
      looks.size - 1 <= LOOKS_MAX,
      `the node looked ${looks.size - 1} times before it went by the change`,
    );
  }
  return answer;
}
