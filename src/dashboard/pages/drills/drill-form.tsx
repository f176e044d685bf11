import { useState } from "react";
import { HEALTH_STATES, PAYMENT_METHODS, type HealthState } from "../../../domain/vocabulary/vocabulary.js";
import { issueAt } from "../../api/transport/problem.js";
import { useChangePin } from "../../api/provider-pins.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { formatName } from "../../design/base/format.js";
import { SelectField } from "../../design/forms/select-field.js";
import { useToasts } from "../../design/feedback/toast.js";
import { textOf } from "../../shell/entrance-form.js";
import { STATE_SCORES } from "./state-scores.js";

const ALL = "";
const METHODS = [
  { value: ALL, label: "All methods" },
  ...PAYMENT_METHODS.map((value) => ({ value, label: formatName(value) })),
] as const;
const STATES = HEALTH_STATES.map((value) => ({ value, label: formatName(value) }));

/** ELIG-2, ELIG-3 and ELIG-6: the effect of each state on decisions. */
const STATE_HINTS = {
  healthy: "Offered as if nothing were wrong.",
  watch: "Still preferred like a healthy one.",
  degraded: "Loses 15 points, and a timeout on it fails over.",
  critical: "Excluded from every route.",
  unavailable: "Excluded, as with an open circuit.",
  unknown: "Eligible, its health counted as 70.",
} as const satisfies Record<HealthState, string>;

/** `segmentKeys` are `<provider>:<payment_method>:<currency>`. Only probed segments can be chosen. */
export function DrillForm({ segmentKeys }: { segmentKeys: readonly string[] }) {
  const change = useChangePin();
  const toasts = useToasts();
  const providers = partsOf(segmentKeys, 0);
  const currencies = partsOf(segmentKeys, 2);
  const [provider, setProvider] = useState(providers[0] ?? "");
  const [method, setMethod] = useState<(typeof METHODS)[number]["value"]>(ALL);
  const [currency, setCurrency] = useState(ALL);
  const [state, setState] = useState<HealthState>("unavailable");
  return (
    <Form
      submitLabel="Start the drill"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={(values) => {
        const score = textOf(values, "score");
        change.mutate(
          {
            provider,
            state,
            payment_method: method === ALL ? null : method,
            currency: currency === ALL ? null : currency,
            ...(score === "" ? {} : { score: Number(score) }),
          },
          { onSuccess: () => toasts.done(`${provider} is seen as ${state}`) },
        );
      }}
    >
      <SelectField
        label="Provider"
        value={provider}
        options={providers.map((value) => ({ value, label: value }))}
        onChange={setProvider}
      />
      <div className="form-pair">
        <SelectField label="Payment method" value={method} options={METHODS} onChange={setMethod} />
        <SelectField
          label="Currency"
          value={currency}
          options={[
            { value: ALL, label: "All currencies" },
            ...currencies.map((value) => ({ value, label: value })),
          ]}
          onChange={setCurrency}
        />
      </div>
      <SelectField
        label="Seen as"
        value={state}
        options={STATES}
        onChange={setState}
        hint={STATE_HINTS[state]}
      />
      <Field
        label="Score"
        name="score"
        type="number"
        min={0}
        max={100}
        step="any"
        inputMode="decimal"
        placeholder={`${STATE_SCORES[state]}, the state's own`}
        error={issueAt(change.error, "score")}
      />
    </Form>
  );
}

function partsOf(segmentKeys: readonly string[], at: number): string[] {
  return [...new Set(segmentKeys.map((key) => key.split(":")[at] ?? ""))].toSorted();
}
