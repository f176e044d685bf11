import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { INCIDENT_SEVERITIES, type IncidentSeverity } from "../../../domain/vocabulary/vocabulary.js";

/** The content of a webhook about an incident of its provider. */
export interface IncidentReport {
  /** '' when the provider names no incident. Closing '' closes all open incidents. */
  incidentId: string;
  isOpen: boolean;
  severity: IncidentSeverity;
  /** Null matches every payment method. */
  paymentMethod: string | null;
  currency: string | null;
}

/**
 * Continues the statement of insertWebhookEvent after its `stored` part. Its own parameters are $16 to $20, the values
 * of `incidentValues`. The newest report of an incident counts, by the provider's own time. A time in the future counts
 * as the time of receipt.
 */
export const STORE_INCIDENT = `incidents as (
  insert into provider_incidents as i (workspace_id, merchant_id, provider, incident_id, severity, payment_method,
    currency, is_open, changed_at, received_at)
  select $1, $2, $3, $16::text, $17::smallint, $18::text, $19::text, $20::boolean, least($6::timestamptz, $7::timestamptz), $7
  from stored where $16::text is not null and (
    select count(*) from provider_incidents
    where workspace_id = $1 and merchant_id = $2 and provider = $3 and incident_id <> $16::text) < ${LIMITS.incidentsPerRouteMax}
  on conflict (workspace_id, merchant_id, provider, incident_id) do update set
    severity = excluded.severity, payment_method = excluded.payment_method, currency = excluded.currency,
    is_open = excluded.is_open, changed_at = excluded.changed_at, received_at = excluded.received_at
  where excluded.changed_at >= i.changed_at
), all_closed as (
  update provider_incidents set is_open = false, changed_at = least($6::timestamptz, $7::timestamptz)
  where workspace_id = $1 and merchant_id = $2 and provider = $3 and incident_id <> '' and is_open
    and changed_at <= least($6::timestamptz, $7::timestamptz) and $16::text = '' and not $20::boolean and exists (select from stored)
)`;

export function incidentValues(incident: IncidentReport | null): unknown[] {
  if (incident === null) return [null, null, null, null, null];
  const { incidentId, severity, paymentMethod, currency, isOpen } = incident;
  return [incidentId, INCIDENT_SEVERITIES.indexOf(severity), paymentMethod, currency, isOpen];
}
