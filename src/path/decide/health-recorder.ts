import { createHash } from "node:crypto";
import { writeHealth } from "../document/decision-document.js";
import type { HealthView } from "../../domain/health/snapshot.js";
import type { HealthGroupRecord } from "../journal/health-group-record.js";
import type { ProviderId } from "../../domain/vocabulary/decision-request.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";

/** The health that a decision used, in its journalled form. Decisions with equal health share it. */
export interface RecordedHealth extends HealthGroupRecord {
  /** `hash` as base64url. */
  readonly name: string;
  /** True if this thread has committed it to the journal. */
  journalled: boolean;
}

export interface HealthRecorder {
  /** All configured providers. */
  readonly providers: readonly ProviderId[];
  /**
   * Call it before each batch. RET-16: at the start of a day it forgets which groups are journalled, so that PostgreSQL
   * learns on which day decisions last used a group.
   */
  begin(nowMs: number): void;
  /** The snapshots of `view` for a payment method and currency. They are hashed only one time for each view. */
  of(view: HealthView, paymentMethod: string, currency: string): RecordedHealth;
}

/** Half of a SHA-256 suffices to name a group, because nobody outside the service can choose a group's content. */
const HEALTH_HASH_BYTES = 16;

const DAY_MS = 86_400_000;

/** Remembers which groups are journalled, so that each thread journals a group that is in use only once a day. */
export function createHealthRecorder(providers: readonly ProviderId[]): HealthRecorder {
  let byView = new WeakMap<HealthView, Map<string, Map<string, RecordedHealth>>>();
  let day = 0;
  const byName = new Map<string, RecordedHealth>();

  const record = (view: HealthView, paymentMethod: string, currency: string): RecordedHealth => {
    const content = writeHealth(view, providers, paymentMethod, currency);
    const hash = createHash("sha256").update(content).digest().subarray(0, HEALTH_HASH_BYTES);
    const name = hash.toString("base64url");
    let recorded = byName.get(name);
    if (recorded === undefined) {
      recorded = { name, hash, content, journalled: false };
      // A group that is forgotten here is journalled again. PostgreSQL stores it only one time.
      if (byName.size >= TUNING.healthGroupsRememberedMax) byName.clear();
      byName.set(name, recorded);
    }
    return recorded;
  };

  return {
    providers,
    begin(nowMs) {
      const today = Math.floor(nowMs / DAY_MS);
      if (today === day) return;
      day = today;
      byName.clear();
      byView = new WeakMap();
    },
    of(view, paymentMethod, currency) {
      let byCurrency = byView.get(view);
      if (byCurrency === undefined) byView.set(view, (byCurrency = new Map()));
      let byMethod = byCurrency.get(currency);
      if (byMethod === undefined) byCurrency.set(currency, (byMethod = new Map()));
      let recorded = byMethod.get(paymentMethod);
      if (recorded === undefined) {
        recorded = record(view, paymentMethod, currency);
        byMethod.set(paymentMethod, recorded);
      }
      return recorded;
    },
  };
}
