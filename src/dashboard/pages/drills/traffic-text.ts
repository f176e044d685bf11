import type { DrillFigures, PastDrill } from "../../api/wire-types.js";
import { formatCount, formatRate } from "../../design/base/format.js";

interface TrafficText {
  during: string;
  before: string;
}

/** DASH-41: `12 of 340 decisions`, and `before: 170 of 338`. Null if the drill's decisions are no longer kept. */
export function routedText(traffic: PastDrill["traffic"]): TrafficText | null {
  const of = ({ decisions, routed_to_provider }: DrillFigures): string =>
    `${formatCount(routed_to_provider)} of ${formatCount(decisions)}`;
  return textsOf(traffic, (figures) => `${of(figures)} decisions`, of);
}

/** DASH-41: `78.4% of 320`, and `before: 88.1% of 300`. The rates cover decisions with a known outcome. */
export function approvalText(traffic: PastDrill["traffic"]): TrafficText | null {
  const of = ({ approval_rate, with_outcome }: DrillFigures): string =>
    with_outcome === 0 ? "none known" : `${formatRate(approval_rate)} of ${formatCount(with_outcome)}`;
  return textsOf(traffic, of, of);
}

function textsOf(
  traffic: PastDrill["traffic"],
  duringText: (figures: DrillFigures) => string,
  beforeText: (figures: DrillFigures) => string,
): TrafficText | null {
  if (traffic === null) return null;
  const { during, before } = traffic;
  return {
    during: duringText(during),
    before: before === null ? "before: no longer kept" : `before: ${beforeText(before)}`,
  };
}
