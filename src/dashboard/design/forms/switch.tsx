import type { ReactNode } from "react";
import "./switch.css";

interface SwitchProps {
  /** Names the switch when nothing beside it does. */
  label?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange(isOn: boolean): void;
  children?: ReactNode;
}

/** A switch that takes effect at once. */
export function Switch({ label, isOn, isDisabled = false, onChange, children }: SwitchProps) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        className="switch-control"
        aria-label={label}
        aria-checked={isOn}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children === undefined ? null : <span>{children}</span>}
    </label>
  );
}
