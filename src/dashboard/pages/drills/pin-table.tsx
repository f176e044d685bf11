import { problemText } from "../../api/transport/problem.js";
import { useChangePin, type KnownPin } from "../../api/drills/provider-pins.js";
import { Until } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { formatName } from "../../design/base/format.js";
import { Table, type Column } from "../../design/layout/table.js";
import { useToasts } from "../../design/feedback/toast.js";
import { HEALTH_TONES } from "../../design/base/tones.js";
import { Twofold } from "../../design/layout/twofold.js";
import { scopeText } from "../../explain/scope-text.js";
import { STATE_SCORES } from "./state-scores.js";
import { Foreign } from "../../design/base/foreign.js";

interface Row extends KnownPin {
  provider: string;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "provider",
    title: "Provider",
    cell: (pin) => <Twofold first={<Foreign text={pin.provider} />} second={scopeText(pin)} />,
  },
  {
    key: "state",
    title: "Seen as",
    cell: ({ state }) => <Badge tone={HEALTH_TONES[state]}>{formatName(state)}</Badge>,
  },
  {
    key: "score",
    title: "Score",
    isNumeric: true,
    cell: ({ state, score }) => score ?? STATE_SCORES[state],
  },
  {
    key: "ends",
    title: "Ends",
    cell: ({ expires_at }) =>
      expires_at === undefined ? <span className="muted">when lifted</span> : <Until at={expires_at} />,
  },
  { key: "lift", title: "Action", isNumeric: true, cell: (pin) => <LiftButton pin={pin} /> },
];

/** Lists the pins, oldest first. If several pins cover a segment, the last one applies. */
export function PinTable({ pins }: { pins: readonly Row[] }) {
  return (
    <Table
      caption="Pinned now"
      columns={COLUMNS}
      rows={pins}
      keyOf={({ provider, payment_method, currency, mode }) =>
        [provider, payment_method, currency, mode].join()
      }
    />
  );
}

function LiftButton({ pin }: { pin: Row }) {
  const lift = useChangePin();
  const toasts = useToasts();
  const { provider, payment_method, currency, mode } = pin;
  return (
    <Button
      size="small"
      isBusy={lift.isPending}
      aria-label={`Lift ${provider}, ${scopeText(pin)}`}
      onClick={() =>
        lift.mutate(
          { provider, payment_method, currency, state: null, ...(mode === undefined ? {} : { mode }) },
          {
            onSuccess: () => toasts.done(`${provider} is no longer pinned, ${scopeText(pin)}`),
            onError: (error) => toasts.failed(problemText(error)),
          },
        )
      }
    >
      Lift
    </Button>
  );
}
