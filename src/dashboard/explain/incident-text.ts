import type { HealthSnapshot } from "../../client/wire-types.js";

/** Names the providers that have reported an open incident of their own, or returns undefined when there is none. */
export function incidentText(snapshots: readonly HealthSnapshot[]): string | undefined {
  const reporting = new Set<string>();
  for (const { provider, reason_codes } of snapshots) {
    if (reason_codes.includes(`${provider.toUpperCase()}_INCIDENT_REPORTED`)) reporting.add(provider);
  }
  if (reporting.size === 0) return undefined;
  const names = new Intl.ListFormat("en").format(reporting);
  return `${names} ${reporting.size === 1 ? "has" : "have"} reported an incident.`;
}
