import type { PolicyDraft } from "../../client/wire-types.js";
import type { BacktestLine, BacktestResult } from "./wire-types.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { jsonLines } from "./transport/json-lines.js";
import { ProblemError } from "./transport/problem.js";
import { open } from "./transport/request.js";

interface BacktestRequest {
  mode: Mode;
  body: { merchant_id: string; policy: PolicyDraft; days: number; limit: number };
  signal: AbortSignal;
  onProgress(replayed: number, total: number): void;
}

/**
 * POST /v1/policies/backtest. Aborting `signal` also ends the backtest at the service. Rejects with a ProblemError, or
 * with the browser's AbortError if `signal` aborts.
 */
export async function runBacktest({
  mode,
  body,
  signal,
  onProgress,
}: BacktestRequest): Promise<BacktestResult> {
  const response = await open("POST", "/v1/policies/backtest", { query: { mode }, body, signal });
  try {
    for await (const line of jsonLines<BacktestLine>(response)) {
      if (line.type === "progress") onProgress(line.replayed, line.total);
      else if (line.type === "result") return line;
      else
        throw new ProblemError({ status: 500, requestId: null, kind: "server_error", message: line.message });
    }
  } catch (error) {
    if (signal.aborted || error instanceof ProblemError) throw error;
    throw new ProblemError({ kind: "unreachable", message: "The answer broke off" });
  }
  throw new ProblemError({ kind: "unreachable", message: "The answer broke off" });
}
