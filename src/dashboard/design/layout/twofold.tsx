import type { ReactNode } from "react";
import "./twofold.css";

/** A cell with two lines: a name, and an identifier below it. */
export function Twofold({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="twofold">
      <span className="twofold-first">{first}</span>
      <span className="twofold-second">{second}</span>
    </span>
  );
}
