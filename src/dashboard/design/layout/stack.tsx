import type { ReactNode } from "react";
import "./stack.css";

/** Stacks the parts of a page. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className="stack">{children}</div>;
}

/** Describes a page in a sentence, beside its choices and actions. */
export function StackBar({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="stack-bar">
      <p className="muted">{text}</p>
      {children === undefined ? null : <div className="stack-bar-controls">{children}</div>}
    </div>
  );
}

/** Puts two parts side by side if there is room. */
export function StackPair({ children }: { children: ReactNode }) {
  return <div className="stack-pair">{children}</div>;
}
