import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import "./tabs.css";

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange(value: NoInfer<Value>): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Arrow keys, Home and End move the choice together with the focus. */
function useRovingChoice<Value extends string>({ value, options, onChange }: ChoiceProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = options.findIndex((option) => option.value === value);
    const step = STEPS[event.key];
    let next: number;
    if (step !== undefined) next = (at + step + options.length) % options.length;
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = options.length - 1;
    else return;
    event.preventDefault();
    const chosen = options[next];
    if (chosen === undefined) return;
    onChange(chosen.value);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return { list, onKeyDown };
}

/** Shows one of several views of the same thing. */
export function Tabs<Value extends string>(props: ChoiceProps<Value> & { children: ReactNode }) {
  const { label, value, options, onChange, children } = props;
  const id = useId();
  const { list, onKeyDown } = useRovingChoice(props);
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            role="tab"
            id={`${id}-${option.value}`}
            className="tab"
            aria-selected={option.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={option.value === value ? 0 : -1}
            onClick={() => onChange(option.value)}
          >
            {option.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}

/** A choice of one option. All options are visible. */
export function Segments<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange } = props;
  const { list, onKeyDown } = useRovingChoice(props);
  return (
    <div ref={list} className="tabs" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          className="tab"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
