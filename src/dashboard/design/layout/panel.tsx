import { useId, type ReactNode } from "react";
import "./panel.css";

interface PanelProps {
  title: string;
  /** A short note beside the title. */
  note?: ReactNode;
  actions?: ReactNode;
  /** True for content without padding, such as a table. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A titled part of a page. */
export function Panel({ title, note, actions, isFlush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header className="panel-head">
        <div className="panel-title">
          <h2 id={id}>{title}</h2>
          {note === undefined ? null : <span className="panel-note">{note}</span>}
        </div>
        {actions}
      </header>
      <div className={isFlush ? "panel-body panel-body-flush" : "panel-body"}>{children}</div>
    </section>
  );
}
