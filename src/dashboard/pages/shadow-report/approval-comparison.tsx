import type { ShadowReport } from "../../../client/wire-types.js";
import { formatCount, formatRate } from "../../design/base/format.js";

/** With fewer decisions than this on a side, a difference may well be chance. */
const SIDE_MIN = 100;

/** Compares the approval rate of payments that followed the advice with that of the others. */
export function ApprovalComparison({ comparison }: { comparison: ShadowReport["route_comparison"] }) {
  const { approval_rate_when_followed: followed, approval_rate_when_diverged: diverged } = comparison;
  const followedCount = comparison.merchant_used_recommended + comparison.merchant_used_fallback;
  const sides = [
    { name: "Followed", rate: followed, count: followedCount, token: "--series-2" },
    { name: "Diverged", rate: diverged, count: comparison.merchant_diverged, token: "--series-3" },
  ] as const;
  return (
    <div className="approval">
      <ul className="approval-sides">
        {sides.map(({ name, rate, count, token }) => (
          <li key={name} className="approval-side">
            <span>{name}</span>
            <span className="approval-track">
              <span
                className="approval-fill"
                style={{ width: `${(rate ?? 0) * 100}%`, background: `var(${token})` }}
              />
            </span>
            <span className="approval-rate">{formatRate(rate)}</span>
            <span className="muted approval-count">of {formatCount(count)}</span>
          </li>
        ))}
      </ul>
      <p className="approval-verdict">
        {verdict(followed, diverged, followedCount, comparison.merchant_diverged)}
      </p>
    </div>
  );
}

function verdict(followed: number | null, diverged: number | null, with_: number, against: number): string {
  if (followed === null || diverged === null) {
    return "There is nothing to compare yet: it needs outcomes on both sides.";
  }
  const points = (followed - diverged) * 100;
  const size = `${Math.abs(points).toFixed(1)} percentage points`;
  const direction =
    points === 0
      ? "Payments were approved equally often on both sides"
      : `Payments that followed the advice were approved ${size} ${points > 0 ? "more" : "less"} often`;
  if (with_ < SIDE_MIN || against < SIDE_MIN) {
    return `${direction}. With fewer than ${SIDE_MIN} payments on a side that may be chance.`;
  }
  return `${direction}. The two sides are not a random sample: your own logic chose who diverged.`;
}
