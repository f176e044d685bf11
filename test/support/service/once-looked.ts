import assert from "node:assert/strict";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { eventually, type RunningService } from "./service.js";

/**
 * The most looks for changes before an effect must show. One look may begin before the change is written, and one may
 * end before the effect is checked.
 */
const LOOKS_MAX = 3;
/** POL-13: without notifications, a node looks for changes every `changesIntervalMs`. */
assert.ok(LOOKS_MAX * TUNING.changesIntervalMs < 5000, "every node knows a publication after 5 s");

/** The time up to which the node has applied every change. */
async function lookedUntil({ metricsUrl }: RunningService): Promise<string> {
  const metrics = await (await fetch(metricsUrl)).text();
  return /^payinference_changes_caught_up_timestamp_seconds (\S+)$/m.exec(metrics)?.[1] ?? "";
}

/**
 * Resolves to the result of `check`, on each node, once the node applies everything written before the call. POL-13
 * allows 5 s for that. A starved host may need longer, so the test counts how often the node has looked for changes.
 */
export async function onceLooked<T>(service: RunningService, check: () => Promise<T>): Promise<T> {
  const looksOf = new Map<string, Set<string>>();
  const answer = await eventually(async () => {
    const looks = looksOf.get(service.metricsUrl) ?? new Set<string>();
    looksOf.set(service.metricsUrl, looks);
    // This comes before the check, because the check must see everything that the look copied.
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
