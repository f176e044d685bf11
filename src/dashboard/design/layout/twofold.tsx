import type { ReactNode } from "react";
import "./twofold.css";

/** A cell of two lines: what something is called, and what it is known by. */
export function Twofold({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="twofold">
      <span className="twofold-first">{first}</span>
      <span className="twofold-second">{second}</span>
    </span>
  );
}
