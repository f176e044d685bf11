import { inTime, isStarved, startNoiseMeter } from "../waiting/host-noise.js";
import { eventually } from "./service.js";
import { IS_TWO_NODES } from "../two-nodes-mode.js";

/** A node answers a write when it has refreshed what it decides by; where that is late it answers all the same, after 1 s or 1.5 s. */
const REFRESH_MS_MAX = 1000;

/** POL-13: every node knows a publication after 5 s. It is at once only where it was made. */
const REACHES_NODES_MS = 5000;

/**
 * `write`, and what `check`, which fails where the effect is missing, resolves to right after the answer. It is waited
 * for only where the answer took so long that the node may have given up waiting itself, or the host was starved.
 */
export async function atOnce<W, T>(write: () => Promise<W>, check: (written: W) => Promise<T>): Promise<T> {
  if (IS_TWO_NODES) {
    const written = await write();
    return inTime(REACHES_NODES_MS, "on each node", () => eventually(() => check(written), 60_000));
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
