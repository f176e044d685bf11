import type { ReactNode } from "react";
import { Skeleton } from "../base/skeleton.js";
import "./figures.css";

/** A row with the most important figures. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

interface FigureProps {
  title: string;
  /** Undefined while the value loads. */
  value: ReactNode;
  note: string | undefined;
}

export function Figure({ title, value, note }: FigureProps) {
  return (
    <div className="figure">
      <dt className="figure-title">{title}</dt>
      <dd className="figure-value">{value ?? <Skeleton heightPx={26} widthPx={104} />}</dd>
      <dd className="figure-note" title={note}>
        {note ?? <Skeleton heightPx={14} widthPx={140} />}
      </dd>
    </div>
  );
}
