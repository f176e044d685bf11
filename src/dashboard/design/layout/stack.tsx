import type { ReactNode } from "react";
import "./stack.css";

/** The parts of a page, one under the other. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className="stack">{children}</div>;
}

/** What a page is about, in a sentence, and what there is to choose or to do. */
export function StackBar({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="stack-bar">
      <p className="muted">{text}</p>
      {children === undefined ? null : <div className="stack-bar-controls">{children}</div>}
    </div>
  );
}

/** Two parts side by side where there is room. */
export function StackPair({ children }: { children: ReactNode }) {
  return <div className="stack-pair">{children}</div>;
}
