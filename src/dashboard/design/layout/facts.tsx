import type { ReactNode } from "react";
import "./facts.css";

/** Lists names with values in as many columns as fit. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="fact-list">
      {facts.map(([name, value]) => (
        <div key={name} className="fact-row">
          <dt className="muted">{name}</dt>
          <dd className="fact-value">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
