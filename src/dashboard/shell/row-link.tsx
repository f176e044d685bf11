import type { MouseEvent, ReactNode } from "react";
import { PlaceLink } from "./mode.js";
import "./row-link.css";

interface RowLinkProps {
  to: string;
  /** Called for a plain click. A page that opens the row's subject in another way prevents the default. */
  onClick?: (event: MouseEvent) => void;
  children: ReactNode;
}

/** The link of a table's row. A click anywhere on the row follows it. For the Tab key, the link is one stop. */
export function RowLink({ to, onClick, children }: RowLinkProps) {
  return (
    <PlaceLink to={to} className="row-link" {...(onClick && { onClick })}>
      {children}
    </PlaceLink>
  );
}
