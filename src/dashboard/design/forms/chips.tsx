import { formatName } from "../base/format.js";
import "./chips.css";

interface ChipsProps {
  label: string;
  options: readonly string[];
  chosen: readonly string[];
  /** Where the order of the choice counts, each one says its place. */
  isOrdered?: boolean;
  isDisabled?: boolean;
  isInvalid?: boolean;
  /** What an option reads as; its name in words unless told. */
  textOf?(option: string): string;
  onChange(chosen: string[]): void;
}

/** A choice of several, all of them in sight. What was chosen and is no option any more can still be taken away. */
export function Chips(props: ChipsProps) {
  const { label, options, chosen, isOrdered = false, isDisabled = false, isInvalid = false } = props;
  const { textOf = formatName, onChange } = props;
  const all = [...options, ...chosen.filter((value) => !options.includes(value))];
  return (
    <div className={isInvalid ? "chips chips-invalid" : "chips"} role="group" aria-label={label}>
      {all.map((option) => {
        const place = chosen.indexOf(option);
        return (
          <button
            key={option}
            type="button"
            className="chip"
            aria-pressed={place !== -1}
            disabled={isDisabled}
            onClick={() =>
              onChange(place === -1 ? [...chosen, option] : chosen.filter((value) => value !== option))
            }
          >
            {textOf(option)}
            {isOrdered && place !== -1 && chosen.length > 1 ? (
              <span className="chip-place">{place + 1}</span>
            ) : null}
          </button>
        );
      })}
    </div>
  );
}
