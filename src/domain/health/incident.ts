import type { ProviderId } from "../vocabulary/decision-request.js";
import type { PaymentMethod } from "../vocabulary/vocabulary.js";
import { uniform } from "../statistics/seeded-hash.js";
import type { SampleKind } from "./window.js";

/** The result of one synthetic probe. */
export interface Probe {
  kind: SampleKind;
  latencyMs: number;
}

/**
 * The time after which an attempt at a mock provider times out. The caller of a provider sets it, so it is the same for
 * all providers.
 */
export const MOCK_TIMEOUT_MS = 10_000;

export const INCIDENT_KINDS = ["timeouts", "errors_5xx", "throttling", "approval_drop", "slow"] as const;
type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** A scripted disturbance of the mock providers, for drills and tests. */
export interface Incident {
  provider: ProviderId;
  /** Absent means every method, or every currency. */
  paymentMethod?: PaymentMethod;
  currency?: string;
  kind: IncidentKind;
  /** The share 0..1 of attempts that the incident affects. `slow` multiplies all latencies by 1 + 9 · intensity. */
  intensity: number;
  /** Unix milliseconds. The incident is in force from `fromMs` until just before `toMs`. */
  fromMs: number;
  toMs: number;
}

interface Segment {
  provider: ProviderId;
  paymentMethod: PaymentMethod;
  currency: string;
}

const FAILURES = {
  timeouts: { kind: "timeout", latencyMs: MOCK_TIMEOUT_MS },
  errors_5xx: { kind: "error_5xx", latencyMs: 400 },
  throttling: { kind: "throttled_429", latencyMs: 30 },
} as const satisfies Record<Exclude<IncidentKind, "approval_drop" | "slow">, Probe>;

/** Incidents have their own random numbers, so that an incident never changes other probes. */
const INCIDENT_DRAW = 0x1000;

/**
 * Returns the result of a probe under the incidents in force at `atMs`. The first technical failure decides the result.
 */
export function incidentEffect(
  usual: Probe,
  incidents: readonly Incident[],
  segment: Segment,
  atMs: number,
  probeHash: number,
): Probe {
  let { kind, latencyMs } = usual;
  for (const [position, incident] of incidents.entries()) {
    if (!inForce(incident, segment, atMs)) continue;
    if (incident.kind === "slow") {
      latencyMs *= 1 + 9 * incident.intensity;
      continue;
    }
    if (uniform(probeHash, INCIDENT_DRAW + position) >= incident.intensity) continue;
    if (incident.kind !== "approval_drop") return FAILURES[incident.kind];
    if (kind === "approved") kind = "soft_declined";
  }
  return { kind, latencyMs };
}

function inForce(incident: Incident, segment: Segment, atMs: number): boolean {
  return (
    atMs >= incident.fromMs &&
    atMs < incident.toMs &&
    incident.provider === segment.provider &&
    (incident.paymentMethod === undefined || incident.paymentMethod === segment.paymentMethod) &&
    (incident.currency === undefined || incident.currency === segment.currency)
  );
}
