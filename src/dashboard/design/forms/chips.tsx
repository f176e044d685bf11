import { formatName } from "../base/format.js";
import "./chips.css";

interface ChipsProps {
  label: string;
  options: readonly string[];
  chosen: readonly string[];
  /** True if the order of the choice matters. Each chosen option then shows its position. */
  isOrdered?: boolean;
  isDisabled?: boolean;
  isInvalid?: boolean;
  /** Returns the label of an option. The default is its name in words. */
  textOf?(option: string): string;
  onChange(chosen: string[]): void;
}

/** A choice of several options that are all visible. A chosen value that is no option any more can still be removed. */
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
