import { useState } from "react";
import { chosenZone, zoneName } from "../../design/base/zone.js";
import { fieldIn, instantOf } from "../../design/base/zone-time.js";
import { Button } from "../../design/forms/button.js";
import { useAddress, withoutPlaces } from "../address.js";
import "./interval-fields.css";

const NAMES = ["from", "to"] as const;
type Name = (typeof NAMES)[number];
const LABELS = { from: "From", to: "To" } as const satisfies Record<Name, string>;

/**
 * DASH-37: fields for an interval in the chosen zone, in place of a range. A change of the interval in the address
 * resets the fields, because their key contains it.
 */
export function IntervalFields() {
  const { parameters } = useAddress();
  const shown = NAMES.map((name) => parameters.get(name) ?? "").join(" ");
  return <Fields key={`${shown} ${zoneName()}`} />;
}

function Fields() {
  const address = useAddress();
  const [texts, setTexts] = useState<Readonly<Record<Name, string>>>(() => ({
    from: fieldOf(address.parameters.get("from")),
    to: fieldOf(address.parameters.get("to")),
  }));
  const instants = { from: instantFor(texts.from), to: instantFor(texts.to) };
  const isInOrder = instants.from === undefined || instants.to === undefined || instants.from < instants.to;
  const isGiven = instants.from !== undefined || instants.to !== undefined;
  return (
    <form
      className="interval"
      aria-label={`Interval in ${zoneName()}`}
      onSubmit={(event) => {
        event.preventDefault();
        const times = NAMES.map((name) => {
          const instant = instants[name];
          return [name, instant === undefined ? null : new Date(instant).toISOString()] as const;
        });
        address.edit({ ...withoutPlaces(address), range: null, ...Object.fromEntries(times) });
      }}
    >
      {NAMES.map((name) => (
        <label key={name} className="interval-part">
          {LABELS[name]}
          <input
            type="datetime-local"
            className="field-control"
            value={texts[name]}
            aria-invalid={isInOrder ? undefined : true}
            onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          />
        </label>
      ))}
      <Button type="submit" disabled={!isGiven || !isInOrder}>
        Apply
      </Button>
    </form>
  );
}

function fieldOf(iso: string | null): string {
  const atMs = Date.parse(iso ?? "");
  return Number.isNaN(atMs) ? "" : fieldIn(atMs, chosenZone());
}

function instantFor(text: string): number | undefined {
  return text === "" ? undefined : instantOf(text, chosenZone());
}
