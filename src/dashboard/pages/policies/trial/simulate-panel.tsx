import { useMemo, useState } from "react";
import { useSimulation } from "../../../api/policies.js";
import { ProblemError, readProblemText } from "../../../api/transport/problem.js";
import { Button } from "../../../design/forms/button.js";
import { Skeleton } from "../../../design/base/skeleton.js";
import { useDebounced } from "../../../design/base/use-debounced.js";
import { useMode } from "../../../shell/mode.js";
import { toWire, type Draft } from "../draft/draft.js";
import { useProviders } from "../rules/providers.js";
import { firstSample, toRequest } from "./sample.js";
import { SampleForm } from "./sample-form.js";
import { SimulationResult } from "./simulation-result.js";

const SIMULATE_AFTER_MS = 350;

/**
 * Shows the decision for a sample under the current draft. Each change of the draft or the sample repeats the
 * simulation.
 */
export function SimulatePanel({ merchantId, draft }: { merchantId: string; draft: Draft }) {
  const { mode } = useMode();
  const providers = useProviders();
  const [sample, setSample] = useState(() => firstSample(providers));
  const { name: _name, ...policy } = toWire(draft);
  const text = JSON.stringify({ ...toRequest(sample, merchantId), policy });
  const settled = useDebounced(text, SIMULATE_AFTER_MS);
  const body = useMemo(() => JSON.parse(settled) as Parameters<typeof useSimulation>[1], [settled]);
  const simulation = useSimulation(mode, body);
  const { error, data } = simulation;
  return (
    <div className="simulate">
      <SampleForm sample={sample} error={error} onChange={setSample} />
      <section aria-label="Simulated decision" className="simulate-result" aria-live="polite">
        {error !== null ? (
          <SimulationError error={error} onRetry={() => void simulation.refetch()} />
        ) : data === undefined ? (
          <Skeleton heightPx={320} />
        ) : (
          <SimulationResult simulation={data} ruleCount={draft.rules.length} />
        )}
      </section>
    </div>
  );
}

function SimulationError({ error, onRetry }: { error: Error; onRetry(): void }) {
  const kind = error instanceof ProblemError ? error.problem.kind : null;
  if (kind === "policy_validation_failed")
    return <p className="note tone-critical">The draft has errors: mend them to see what it decides.</p>;
  if (kind === "validation_error")
    return <p className="note tone-critical">The sample is not valid: {readProblemText(error)}</p>;
  return (
    <div className="note tone-critical" role="alert">
      <p>{readProblemText(error)}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
