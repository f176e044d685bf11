import type { ReactNode } from "react";
import { PlaceLink } from "./mode.js";
import "./row-link.css";

/** The link of a table's row. A click anywhere on the row follows it, and the keyboard stops at it once. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <PlaceLink to={to} className="row-link">
      {children}
    </PlaceLink>
  );
}
