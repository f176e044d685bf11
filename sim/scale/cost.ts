import type { Scale } from "./inputs.js";

export interface CostFigures {
  /** All figures are USD for a million decisions. */
  nodes: number;
  postgres: number;
  storage: number;
}

const HOUR_US = 3600e6;
const DAYS_PER_MONTH = 365 / 12;

/** Machines are paid for whole days, and sized for the peak hour. Storage is paid for as long as a decision is kept. */
export function costOfMillion(scale: Scale): CostFigures {
  const idle = scale.peakOverMean / scale.load;
  const usd = (us: number): number => ((us * 1e6) / HOUR_US) * idle * scale.coreHourUsd;
  return {
    nodes: usd(scale.serverUs),
    postgres: usd(scale.postgresUs),
    storage:
      ((scale.storedBytes * 1e6) / 1e9) * (scale.retentionDays / DAYS_PER_MONTH) * scale.gigabyteMonthUsd,
  };
}
