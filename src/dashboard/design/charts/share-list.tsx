import type { ReactNode } from "react";
import { formatCount, formatRate } from "../base/format.js";
import "./share-list.css";

export interface Share {
  key: string;
  label: ReactNode;
  /** The custom property of tokens.css with the share's colour. */
  token: `--${string}`;
  count: number;
}

/** Parts of a whole: one bar, and below it each part's count and share. `total` may exceed the sum of the parts. */
export function ShareList({ shares, total }: { shares: readonly Share[]; total: number }) {
  return (
    <div className="shares">
      <div className="shares-bar" aria-hidden="true">
        {shares.map(({ key, token, count }) =>
          count === 0 ? null : (
            <span
              key={key}
              className="shares-part"
              style={{ flexGrow: count / Math.max(total, 1), background: `var(${token})` }}
            />
          ),
        )}
      </div>
      <dl>
        {shares.map(({ key, label, token, count }) => (
          <div key={key} className={count === 0 ? "share muted" : "share"}>
            <dt>
              <span className="share-swatch" style={{ background: `var(${token})` }} />
              <span className="share-label">{label}</span>
            </dt>
            <dd className="muted">{formatCount(count)}</dd>
            <dd className="share-rate">{formatRate(total === 0 ? null : count / total)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
