import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { INCIDENT_SEVERITIES, type IncidentSeverity } from "../../../domain/vocabulary/vocabulary.js";

/** The content of a webhook about an incident. */
export interface IncidentData {
  /** '' if the provider names no incident. */
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
 * HOOK-7 does not fix the fields of an incident's `data`. Four are read if present: `incident_id`, `severity` (minor,
 * major or critical; any other value counts as major), `payment_method` and `currency`. Other fields are ignored and
 * not stored. An incident is never refused for a missing field.
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
