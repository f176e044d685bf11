import { useEffect, useRef, useState } from "react";
import { runBacktest } from "../../../api/backtest.js";
import type { BacktestResult } from "../../../api/wire-types.js";
import type { Mode } from "../../../../domain/vocabulary/vocabulary.js";
import { draftText, toWire, type Draft } from "../draft/draft.js";

export type Backtest =
  | { kind: "idle" }
  | { kind: "running"; replayed: number; total: number | null }
  | { kind: "failed"; error: unknown }
  /** `of` is the text of the draft that the backtest used. */
  | { kind: "done"; result: BacktestResult; of: string };

export interface BacktestRange {
  days: number;
  limit: number;
}

/** Runs one backtest at a time. Leaving the page cancels it, on the service too. */
export function useBacktest(mode: Mode, merchantId: string, draft: Draft) {
  const [backtest, setBacktest] = useState<Backtest>({ kind: "idle" });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const cancel = (): void => {
    running.current?.abort();
    setBacktest({ kind: "idle" });
  };
  const start = async ({ days, limit }: BacktestRange): Promise<void> => {
    running.current?.abort();
    const abort = new AbortController();
    const { signal } = abort;
    running.current = abort;
    setBacktest({ kind: "running", replayed: 0, total: null });
    const { name: _name, ...policy } = toWire(draft);
    try {
      const result = await runBacktest({
        mode,
        body: { merchant_id: merchantId, policy, days, limit },
        signal,
        onProgress(replayed, total) {
          if (!signal.aborted) setBacktest({ kind: "running", replayed, total });
        },
      });
      if (!signal.aborted) setBacktest({ kind: "done", result, of: draftText(draft) });
    } catch (error) {
      if (!signal.aborted) setBacktest({ kind: "failed", error });
    }
  };
  return { backtest, start, cancel };
}
