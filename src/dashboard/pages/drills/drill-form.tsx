import { useState } from "react";
import { HEALTH_STATES, PAYMENT_METHODS, type HealthState } from "../../../domain/vocabulary/vocabulary.js";
import { issueAt } from "../../api/transport/problem.js";
import { useChangePin, type PinChange } from "../../api/drills/provider-pins.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { formatName } from "../../design/base/format.js";
import { SelectField } from "../../design/forms/select-field.js";
import { useToasts } from "../../design/feedback/toast.js";
import { textOf } from "../../shell/entrance-form.js";
import { DRILL_ENDS, DRILL_MODES, endOf, modeOf, type DrillEnd, type DrillMode } from "./drill-choices.js";
import { LiveDrillDialog } from "./live-drill-dialog.js";
import { STATE_SCORES } from "./state-scores.js";

const ALL = "";
const METHODS = [
  { value: ALL, label: "All methods" },
  ...PAYMENT_METHODS.map((value) => ({ value, label: formatName(value) })),
] as const;
type Method = (typeof METHODS)[number]["value"];
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

type Drill = PinChange & { state: HealthState };

/** `segmentKeys` are `<provider>:<payment_method>:<currency>`. Only probed segments can be chosen. */
export function DrillForm({ segmentKeys }: { segmentKeys: readonly string[] }) {
  const change = useChangePin();
  const toasts = useToasts();
  const [provider, setProvider] = useState(partsOf(segmentKeys, 0)[0] ?? "");
  const [method, setMethod] = useState<Method>(ALL);
  const [currency, setCurrency] = useState(ALL);
  const [state, setState] = useState<HealthState>("unavailable");
  const [mode, setMode] = useState<DrillMode>("test");
  const [end, setEnd] = useState<DrillEnd>("60");
  const [confirming, setConfirming] = useState<Drill | null>(null);
  const start = (drill: Drill): void =>
    change.mutate(
      { ...drill, ...endOf(end, Date.now()) },
      {
        onSuccess() {
          toasts.done(`${drill.provider} is seen as ${drill.state}`);
          setConfirming(null);
        },
      },
    );
  const submit = (score: string): void => {
    const drill = {
      provider,
      state,
      payment_method: method === ALL ? null : method,
      currency: currency === ALL ? null : currency,
      ...(score === "" ? {} : { score: Number(score) }),
      ...modeOf(mode),
    };
    if (mode === "test") start(drill);
    else setConfirming(drill);
  };
  return (
    <>
      <Form
        submitLabel="Start the drill"
        isBusy={change.isPending}
        error={change.error}
        onSubmit={(values) => submit(textOf(values, "score"))}
      >
        <Segment
          segmentKeys={segmentKeys}
          provider={provider}
          method={method}
          currency={currency}
          onProvider={setProvider}
          onMethod={setMethod}
          onCurrency={setCurrency}
        />
        <WhereAndUntil mode={mode} end={end} error={change.error} onMode={setMode} onEnd={setEnd} />
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
      {confirming === null ? null : (
        <LiveDrillDialog
          drill={confirming}
          change={change}
          onConfirm={() => start(confirming)}
          onClose={() => setConfirming(null)}
        />
      )}
    </>
  );
}

interface SegmentProps {
  segmentKeys: readonly string[];
  provider: string;
  method: Method;
  currency: string;
  onProvider(provider: string): void;
  onMethod(method: Method): void;
  onCurrency(currency: string): void;
}

/** Chooses the provider and the segment to pin. */
function Segment(props: SegmentProps) {
  const { segmentKeys, provider, method, currency, onProvider, onMethod, onCurrency } = props;
  const providers = partsOf(segmentKeys, 0);
  const currencies = partsOf(segmentKeys, 2);
  return (
    <>
      <SelectField
        label="Provider"
        value={provider}
        options={providers.map((value) => ({ value, label: value }))}
        onChange={onProvider}
      />
      <div className="form-pair">
        <SelectField label="Payment method" value={method} options={METHODS} onChange={onMethod} />
        <SelectField
          label="Currency"
          value={currency}
          options={[
            { value: ALL, label: "All currencies" },
            ...currencies.map((value) => ({ value, label: value })),
          ]}
          onChange={onCurrency}
        />
      </div>
    </>
  );
}

interface WhereAndUntilProps {
  mode: DrillMode;
  end: DrillEnd;
  error: Error | null;
  onMode(mode: DrillMode): void;
  onEnd(end: DrillEnd): void;
}

/** ALRT-19, ALRT-20: chooses the modes in which the drill applies, and its end. */
function WhereAndUntil({ mode, end, error, onMode, onEnd }: WhereAndUntilProps) {
  return (
    <div className="form-pair">
      <SelectField label="Holds in" value={mode} options={DRILL_MODES} onChange={onMode} />
      <SelectField
        label="Ends"
        value={end}
        options={DRILL_ENDS}
        onChange={onEnd}
        error={issueAt(error, "expires_at")}
      />
    </div>
  );
}

function partsOf(segmentKeys: readonly string[], at: number): string[] {
  return [...new Set(segmentKeys.map((key) => key.split(":")[at] ?? ""))].toSorted();
}
