import { useSyncExternalStore } from "react";
import { applyZone, onZone, zoneChoice, type ZoneChoice } from "./zone.js";

/** DASH-28: the browser stores the chosen zone, for everybody who uses it. */
const KEY = "payinference.zone";

/** Applies the zone that was chosen on an earlier visit. Call it before the first paint. */
export function applyKeptZone(): void {
  follow(localStorage.getItem(KEY));
  // Other tabs follow the choice. `key` is null if the whole storage was cleared.
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === KEY || key === null) follow(newValue);
  });
}

function follow(kept: string | null): void {
  applyZone(kept === "utc" ? "utc" : "browser");
}

export function chooseZone(next: ZoneChoice): void {
  applyZone(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The browser has no room, or stores nothing. The choice then lasts until the person leaves the page.
  }
}

/** Call it in the root component, so that a new choice renders every time on the page again. */
export function useZoneChoice(): ZoneChoice {
  return useSyncExternalStore(onZone, zoneChoice);
}
