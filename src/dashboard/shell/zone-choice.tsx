import { chooseZone, useZoneChoice } from "../design/base/kept-zone.js";
import { BROWSER_ZONE, zoneName, type ZoneChoice } from "../design/base/zone.js";
import { Select } from "../design/forms/select.js";

const OPTIONS = [
  { value: "browser", label: `${zoneName(BROWSER_ZONE)} (this browser)` },
  { value: "utc", label: "UTC" },
] as const satisfies readonly { value: ZoneChoice; label: string }[];

/** DASH-28: chooses the zone of every time in the dashboard. */
export function ZoneChoiceField() {
  return (
    <div className="zone-choice">
      <span aria-hidden="true">Times in</span>
      <Select label="Time zone" value={useZoneChoice()} options={OPTIONS} onChange={chooseZone} />
    </div>
  );
}
