import { LIMITS } from "../../../../domain/vocabulary/limits.js";
import { problemText } from "../../../api/transport/problem.js";
import { Button } from "../../../design/forms/button.js";
import { SelectField } from "../../../design/forms/select-field.js";
import { EmptyState } from "../../../design/feedback/empty-state.js";
import { formatCount } from "../../../design/base/format.js";
import { Progress } from "../../../design/feedback/progress.js";
import { useChoice } from "../../../shell/address.js";
import { useMode } from "../../../shell/mode.js";
import { BacktestPicture } from "./backtest-result.js";
import { draftText, type Draft } from "../draft/draft.js";
import { useBacktest } from "./use-backtest.js";

const DAYS = [1, 7, LIMITS.backtestDaysMax].map((days) => ({
  value: String(days),
  label: days === 1 ? "Last 24 hours" : `Last ${days} days`,
}));
const COUNTS = [1000, 10_000, LIMITS.backtestDecisionsMax].map((count) => ({
  value: String(count),
  label: `Newest ${count.toLocaleString()}`,
}));

const valuesOf = (options: readonly { value: string }[]): string[] => options.map(({ value }) => value);

/** Repeats the merchant's own past decisions with the draft. */
export function BacktestPanel({ merchantId, draft }: { merchantId: string; draft: Draft }) {
  const { mode } = useMode();
  // The key discards the result when the mode changes.
  return <Backtest key={mode} merchantId={merchantId} draft={draft} />;
}

function Backtest({ merchantId, draft }: { merchantId: string; draft: Draft }) {
  const { mode } = useMode();
  const [days, setDays] = useChoice("backtest_days", valuesOf(DAYS), "7");
  const [count, setCount] = useChoice("backtest_count", valuesOf(COUNTS), "10000");
  const { backtest, start, cancel } = useBacktest(mode, merchantId, draft);
  const isRunning = backtest.kind === "running";
  return (
    <div className="backtest">
      <div className="backtest-bar">
        <SelectField
          label="Decisions of the"
          value={days}
          options={DAYS}
          isDisabled={isRunning}
          onChange={setDays}
        />
        <SelectField
          label="At most the"
          value={count}
          options={COUNTS}
          isDisabled={isRunning}
          onChange={setCount}
        />
        {isRunning ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : (
          <Button kind="primary" onClick={() => void start({ days: Number(days), limit: Number(count) })}>
            Run the backtest
          </Button>
        )}
      </div>
      {backtest.kind === "idle" ? (
        <EmptyState icon="decisions" title="What would this draft have done?">
          Past {mode} decisions are made again with it, from exactly what they saw.
        </EmptyState>
      ) : backtest.kind === "running" ? (
        <Progress
          label="Backtest"
          done={backtest.replayed}
          total={backtest.total ?? 0}
          text={
            // The number of decisions is unknown until the backtest's turn comes.
            backtest.total === null || backtest.total === 0
              ? "Beginning…"
              : `${formatCount(backtest.replayed)} of ${formatCount(backtest.total)} decisions made again`
          }
        />
      ) : backtest.kind === "failed" ? (
        <p className="note tone-critical" role="alert">
          {problemText(backtest.error)}
        </p>
      ) : (
        <>
          {backtest.of === draftText(draft) ? null : (
            <p className="note tone-watch">The draft has changed since: run it again.</p>
          )}
          <BacktestPicture result={backtest.result} />
        </>
      )}
    </div>
  );
}
