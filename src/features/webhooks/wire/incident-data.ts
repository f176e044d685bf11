import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { INCIDENT_SEVERITIES, type IncidentSeverity } from "../../../domain/vocabulary/vocabulary.js";

/** What a webhook says of an incident. */
export interface IncidentData {
  /** '' where the provider names none. */
  incidentId: string;
  isOpen: boolean;
  severity: IncidentSeverity;
  /** Null: every one. A name that is none of ours is kept, and matches nothing. */
  paymentMethod: string | null;
  currency: string | null;
}

const ID = new RegExp(`^[A-Za-z0-9_.:-]{1,${LIMITS.incidentIdCharsMax}}$`);
const NAME = /^[A-Za-z_]{1,32}$/;

/**
 * HOOK-7 leaves the fields of an incident's `data` open: `incident_id`, `severity` (minor, major, critical; major
 * where it is none of them), `payment_method` and `currency` are taken where they are there, all else is left alone and
 * not kept. An incident nobody can name is still one: nothing is refused.
 */
export function readIncident(data: Readonly<Record<string, unknown>>, isOpen: boolean): IncidentData {
  const { incident_id, severity, payment_method, currency } = data;
  return {
    incidentId: textLike(incident_id, ID) ?? "",
    isOpen,
    severity: INCIDENT_SEVERITIES.find((known) => known === severity) ?? "major",
    paymentMethod: textLike(payment_method, NAME),
    currency: textLike(currency, NAME),
  };
}

function textLike(value: unknown, pattern: RegExp): string | null {
  return typeof value === "string" && pattern.test(value) ? value : null;
}
