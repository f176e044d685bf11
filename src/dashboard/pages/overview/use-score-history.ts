import { useEffect, useState } from "react";
import type { HealthSnapshot } from "../../../client/wire-reads.js";

/** segment_key → its scores, oldest first. */
export type ScoreHistory = ReadonlyMap<string, readonly number[]>;

export const SCORES_MAX = 30;

/** Each segment's scores as they were seen while the page is open. */
export function useScoreHistory(snapshots: readonly HealthSnapshot[] | undefined): ScoreHistory {
  const [history, setHistory] = useState<ScoreHistory>(new Map());
  useEffect(() => {
    if (snapshots === undefined) return;
    setHistory((before) => {
      const after = new Map<string, readonly number[]>();
      for (const { segment_key, score } of snapshots) {
        const scores = before.get(segment_key) ?? [];
        after.set(segment_key, [...scores, score].slice(-SCORES_MAX));
      }
      return after;
    });
  }, [snapshots]);
  return history;
}
