import type { Gauge } from "prom-client";
import type { LabelledCounter } from "./labelled-metrics.js";

interface Makers {
  counter(name: string, help: string): LabelledCounter;
  gauge(name: string, help: string): Gauge;
}

export interface MirrorGauges {
  lagRecords: number;
  bytes: number;
  batchesWaiting: number;
}

/** The metrics of the journal's mirror (JOURNAL_MIRROR). */
export function createMirrorMetrics({ counter, gauge }: Makers) {
  const open = gauge(
    "payinference_mirror_open",
    "1 while the shared cache takes the journal's mirror, or none is asked for; 0: decisions are 503.",
  );
  open.set(1);
  const lag = gauge(
    "payinference_mirror_lag_records",
    "Records of this node's journal that are not in its mirror.",
  );
  const bytes = gauge("payinference_mirror_bytes", "Bytes of this node's mirror that PostgreSQL lacks.");
  const waiting = gauge("payinference_mirror_batches_waiting", "Batches whose answers wait for the mirror.");
  const takeovers = counter(
    "payinference_mirror_takeovers_total",
    "Takeovers of a dead node's mirror by this node, by result; one that failed is tried again.",
  );
  const [stored, failed] = [takeovers.child({ result: "stored" }), takeovers.child({ result: "failed" })];
  const records = counter(
    "payinference_mirror_records_taken_over_total",
    "Records of dead nodes that this node has stored.",
  ).child();
  return {
    open: (isOpen: boolean) => open.set(isOpen ? 1 : 0),
    stats(now: MirrorGauges): void {
      lag.set(now.lagRecords);
      bytes.set(now.bytes);
      waiting.set(now.batchesWaiting);
    },
    takenOver(storedRecords: number, result: "stored" | "failed"): void {
      (result === "stored" ? stored : failed).add(1);
      records.add(storedRecords);
    },
  };
}
