import { createSnapshot, type HealthSnapshot, segmentKey } from "../../../src/domain/health/snapshot.js";
import { openReplica, writeSnapshots } from "../../../src/path/replica/replica.js";
import { PAYMENT_METHODS } from "../../../src/domain/vocabulary/vocabulary.js";
import type { RunningService } from "./service.js";

/**
 * HLTH-26: there are no probes, so the test sets the snapshots. Twenty or more outcomes still move a workspace's own
 * view.
 */
export const FROZEN_PROBER = { PROBE_INTERVAL_MS: "0" } as const;

const PROVIDERS = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"] as const;
const CURRENCIES = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY"] as const;

/** Score and state of a segment, by `<provider>:<currency>`, the same for each payment method. */
export type HealthChanges = Readonly<
  Record<string, Partial<Pick<HealthSnapshot, "score" | "state" | "approval_rate">>>
>;

/**
 * Gives the service health for decisions, written in the prober's place. provider_1 has 95, and each next provider 5
 * less. All have 90 % approval, a p95 of 400 ms and a confidence near 100. `changes` overrides these.
 */
export async function freezeHealth(service: RunningService, changes: HealthChanges): Promise<void> {
  const snapshots: HealthSnapshot[] = [];
  for (const [position, provider] of PROVIDERS.entries()) {
    for (const method of PAYMENT_METHODS) {
      for (const currency of CURRENCIES) {
        const snapshot = createSnapshot({
          provider,
          segmentKey: segmentKey(provider, method, currency),
          state: "healthy",
          measures: {
            timeoutRate: 0,
            error5xxRate: 0,
            throttle429Rate: 0,
            approvalRate: 0.9,
            approvalRateBaseline: 0.9,
            p95LatencyMs: 400,
            webhookLagSeconds: 0,
          },
          samples: 450,
          source: "probe",
          updatedAt: new Date().toISOString(),
        });
        const state = { score: 95 - 5 * position, confidence: 100 };
        snapshots.push({ ...snapshot, ...state, ...changes[`${provider}:${currency}`] });
      }
    }
  }
  for (const { dataDir } of service.nodes) {
    const replica = openReplica(dataDir);
    replica.putHealth(writeSnapshots(snapshots));
    await replica.close();
  }
}
