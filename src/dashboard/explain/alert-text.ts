import { ALERT_KINDS, alertKindRow } from "../../domain/vocabulary/alert-kinds.js";
import { formatCount, formatRate, formatTime } from "../design/base/format.js";
import type { Alert } from "../api/wire-types.js";

/** Returns the subject of an alert: its segment, the event that opened it, or both. */
export function alertSubject({ kind, segment_key }: Pick<Alert, "kind" | "segment_key">): string | null {
  const row = alertKindRow(kind);
  if (row.opensBy === "cause") return row.title;
  return row.opensBy === "outcomes" ? `${row.title}: ${segment_key ?? ""}` : segment_key;
}

/** The causes of alerts that outcomes open, as a clause. */
export const OUTCOME_CAUSES = new Intl.ListFormat("en", { type: "disjunction" }).format(
  ALERT_KINDS.map(alertKindRow).flatMap((row) =>
    row.opensBy === "outcomes" ? [row.title.toLowerCase()] : [],
  ),
);

/** ALRT-18: the payments on which an alert rests, in words. Null for kinds that no outcomes open. */
export function alertEvidence({ evidence }: Pick<Alert, "evidence">): string | null {
  if (evidence === null) return null;
  const { from, to, outcomes, approved, failed, rate, baseline } = evidence;
  const when = `${formatTime(from)} to ${formatTime(to)}`;
  const share = `${formatCount(approved ?? failed ?? 0)} of ${formatCount(outcomes)}`;
  const usually = baseline === null ? "" : `, usually ${formatRate(baseline)}`;
  return `${share} ${approved === null ? "failed" : "approved"}, ${when}: ${formatRate(rate)}${usually}`;
}

/** The log of the payments on which an alert rests, as a place of the dashboard. Null for kinds that no outcomes open. */
export function alertPayments({
  evidence,
  segment_key: key,
}: Pick<Alert, "evidence" | "segment_key">): string | null {
  if (evidence === null || key === null) return null;
  const [provider, paymentMethod, currency, country, cardNetwork] = key.split(":");
  const filters = {
    // An issuer's alert concerns every provider.
    provider: provider === "*" ? undefined : provider,
    payment_method: paymentMethod,
    currency,
    country,
    card_network: cardNetwork,
    from: evidence.from,
    to: evidence.to,
  };
  const named = Object.entries(filters).filter(
    (filter): filter is [string, string] => filter[1] !== undefined,
  );
  return `/decisions?${new URLSearchParams(named).toString()}`;
}

/** Names the sources of the health states that open alerts. */
export const HEALTH_FINDERS = new Intl.ListFormat("en", { type: "disjunction" }).format(
  ALERT_KINDS.map(alertKindRow).flatMap((row) => (row.opensBy === "health" ? [row.foundBy] : [])),
);
