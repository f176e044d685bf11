import { useState } from "react";
import type { HealthSnapshot } from "../../../client/wire-types.js";

/** Maps each segment_key to its scores, oldest first. */
export type ScoreHistory = ReadonlyMap<string, readonly number[]>;

export const SCORES_MAX = 20;
const NONE: ScoreHistory = new Map();

/** Collects each segment's scores while the page is open. */
export function useScoreHistory(snapshots: readonly HealthSnapshot[] | undefined): ScoreHistory {
  const [history, setHistory] = useState<ScoreHistory>(NONE);
  const [lastSnapshots, setLastSnapshots] = useState<readonly HealthSnapshot[]>();
  if (snapshots !== undefined && snapshots !== lastSnapshots) {
    setLastSnapshots(snapshots);
    setHistory(withScores(history, snapshots));
  }
  return history;
}

function withScores(before: ScoreHistory, snapshots: readonly HealthSnapshot[]): ScoreHistory {
  const after = new Map<string, readonly number[]>();
  for (const { segment_key, score } of snapshots) {
    const scores = before.get(segment_key) ?? [];
    after.set(segment_key, [...scores, score].slice(-SCORES_MAX));
  }
  return after;
}
