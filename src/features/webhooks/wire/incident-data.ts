import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { INCIDENT_SEVERITIES, type IncidentSeverity } from "../../../domain/vocabulary/vocabulary.js";

/** The content of a webhook about an incident. */
export interface IncidentData {
  /** '' when the provider names no incident. */
  incidentId: string;
  isOpen: boolean;
  severity: IncidentSeverity;
  /** Null matches every value. An unknown name is stored but matches none. */
  paymentMethod: string | null;
  currency: string | null;
}

const ID = new RegExp(`^[A-Za-z0-9_.:-]{1,${LIMITS.incidentIdCharsMax}}$`);
const NAME = /^[A-Za-z_]{1,32}$/;

/**
 * HOOK-7 leaves the fields of an incident's `data` open. Four are read when present: `incident_id`, `severity` (minor,
 * major or critical; any other means major), `payment_method` and `currency`. All other fields are ignored and not
 * stored. Nothing is refused, because an incident without a name is still an incident.
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
