import { instantOf, isoIn } from "./zone-time.js";

/** DASH-28: the zone in which the dashboard shows and reads times. */

export type ZoneChoice = "browser" | "utc";

/** The browser's own zone, by the name that the browser has for it. */
export const BROWSER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The current names of zones for which browsers still use replaced names. Only shown text uses the current names. */
const RENAMED: Readonly<Record<string, string>> = {
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Godthab": "America/Nuuk",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Europe/Kiev": "Europe/Kyiv",
};

const listeners = new Set<() => void>();
let choice: ZoneChoice = "browser";

export function zoneChoice(): ZoneChoice {
  return choice;
}

/** The chosen zone, in the form that formats use. */
export function chosenZone(): string {
  return choice === "utc" ? "UTC" : BROWSER_ZONE;
}

/** The name of a zone as a page shows it. */
export function zoneName(zone = chosenZone()): string {
  return RENAMED[zone] ?? zone;
}

/** Changes the zone for this page. `kept-zone.ts` also stores it. */
export function applyZone(next: ZoneChoice): void {
  choice = next;
  for (const listener of listeners) listener();
}

/** Returns a function that ends the subscription. */
export function onZone(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** DASH-29: names the zone of a field for a time, such as `Europe/London (+01:00)`. The offset applies at that time. */
export function fieldZone(field: string): string {
  const zone = chosenZone();
  const atMs = instantOf(field, zone);
  const offset = atMs === undefined ? "" : isoIn(atMs, zone).slice("2026-11-20T18:30:00.000".length);
  return offset === "" || offset === "Z" ? zoneName() : `${zoneName()} (${offset})`;
}
