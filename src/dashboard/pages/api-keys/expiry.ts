import type { ApiKey } from "../../api/wire-types.js";
import { dayEndOf } from "../../design/base/zone-time.js";

export const EXPIRIES = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "date", label: "On a date" },
] as const;
export type Expiry = (typeof EXPIRIES)[number]["value"];

const DAY_MS = 86_400_000;

/**
 * Returns ISO 8601, or null for never. `date` is `YYYY-MM-DD`. The key expires at the end of that day in `zone`, even
 * on a day of 23 or 25 hours.
 */
export function expiresAt(expiry: Expiry, date: string, nowMs: number, zone: string): string | null {
  if (expiry === "never") return null;
  if (expiry === "date") return new Date(dayEndOf(date, zone) ?? Number.NaN).toISOString();
  return new Date(nowMs + Number(expiry) * DAY_MS).toISOString();
}

export function isUsable({ revoked_at, expires_at }: ApiKey, nowMs: number): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > nowMs);
}
