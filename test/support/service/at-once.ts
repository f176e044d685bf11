import { inTime, isStarved, startNoiseMeter } from "../waiting/host-noise.js";
import { eventually } from "./service.js";
import { IS_TWO_NODES } from "../two-nodes-mode.js";

/**
 * A node answers a write once it has refreshed its state. When the refresh is late, the node answers anyway after 1 s
 * or 1.5 s.
 */
const REFRESH_MS_MAX = 1000;

/** POL-13: every node applies a publication within 5 s. Only the node that published it applies it at once. */
const REACHES_NODES_MS = 5000;

/**
 * Runs `write`, and then `check`, which fails while the effect is missing. Resolves to the result of `check` right
 * after the answer. The check is repeated in two cases only. Either the answer took so long that the node may have
 * stopped waiting for the refresh, or the host was starved.
 */
export async function atOnce<W, T>(write: () => Promise<W>, check: (written: W) => Promise<T>): Promise<T> {
  if (IS_TWO_NODES) {
    const written = await write();
    return inTime(REACHES_NODES_MS, "on each node", () => eventually(() => check(written)));
  }
  const meter = startNoiseMeter();
  const writesMs = performance.now();
  try {
    const written = await write();
    const tookMs = performance.now() - writesMs;
    return await check(written).catch((error: unknown) => {
      if (tookMs < REFRESH_MS_MAX && !isStarved(meter.stop())) throw error;
      return eventually(() => check(written));
    });
  } finally {
    meter.stop();
  }
}
