import type { Action } from "../../../domain/vocabulary/vocabulary.js";
import { useProviderHealth } from "../../api/figures.js";
import { problemText } from "../../api/transport/problem.js";
import { useTry, type TriedDecision } from "../../api/tries.js";
import { Badge } from "../../design/base/badge.js";
import { formatAmount, formatName } from "../../design/base/format.js";
import { ACTION_TONES } from "../../design/base/tones.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Button } from "../../design/forms/button.js";
import { Panel } from "../../design/layout/panel.js";
import { Table, type Column } from "../../design/layout/table.js";
import { instructionText } from "../../explain/instruction-text.js";
import { TRIES, TRY_ACTIONS, TRY_MERCHANT, tryPolicy, tryRequest } from "../../explain/tries.js";
import { useHasRole } from "../../session/session.js";
import { PlaceLink } from "../../shell/mode.js";
import "./api-keys.css";

const HEIGHT_PX = 330;

/** DASH-24: makes one real decision in test mode for each instruction. */
export function TriesPanel() {
  const health = useProviderHealth("test");
  const attempt = useTry();
  return (
    <Panel title="Try each instruction" note="real decisions, in test mode">
      <p className="muted tries-about">
        They are for the merchant <code>{TRY_MERCHANT}</code>, by a key that ends when you leave this page.
        The first one adds that merchant and its policy; nothing of your own merchants changes.
      </p>
      <div className="tries-answer" aria-live="polite">
        {attempt.error !== null ? (
          <p className="tries-failure">{problemText(attempt.error)}</p>
        ) : attempt.data === undefined ? (
          <p className="muted">{attempt.isPending ? "Deciding…" : "Nothing tried yet."}</p>
        ) : (
          <Tried decision={attempt.data} />
        )}
      </div>
      <Loaded query={health} heightPx={HEIGHT_PX}>
        {({ providers: snapshots }) => {
          const providers = [...new Set(snapshots.map(({ provider }) => provider))];
          const bodyOf = (action: Action) =>
            tryRequest(action, providers, snapshots, `try_${action}_${crypto.randomUUID()}`);
          return (
            <Table
              caption="Tries"
              columns={columnsFor(
                (action) => bodyOf(action) !== null,
                (action) => {
                  const body = bodyOf(action);
                  if (body !== null) attempt.mutate({ policy: tryPolicy(providers), body });
                },
                attempt.isPending,
              )}
              rows={TRY_ACTIONS}
              keyOf={(action) => action}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Tried({ decision }: { decision: TriedDecision }) {
  const { action, route, decision_id } = decision;
  return (
    <p>
      <Badge tone={ACTION_TONES[action]}>{formatName(action)}</Badge> {instructionText(action, route)}{" "}
      <PlaceLink to={`/decisions/${decision_id}`}>Open the decision</PlaceLink> ·{" "}
      <PlaceLink to="/policies">Write a policy</PlaceLink>
    </p>
  );
}

function Missing({ action }: { action: Action }) {
  const mayDrill = useHasRole(["owner", "admin"]);
  const { because, timedOutAt } = TRIES[action];
  if (timedOutAt !== "failing") return `${because}; none is now`;
  return (
    <>
      {because}. None is now; {mayDrill ? <PlaceLink to="/drills">a drill</PlaceLink> : "a drill of an owner"}{" "}
      makes one so.
    </>
  );
}

function columnsFor(
  isPossible: (action: Action) => boolean,
  attempt: (action: Action) => void,
  isBusy: boolean,
): Column<Action>[] {
  return [
    {
      key: "try",
      title: "Try",
      cell: (action) => (
        <Button
          size="small"
          isBusy={isBusy}
          disabled={!isPossible(action)}
          aria-label={`Try ${formatName(action)}`}
          onClick={() => attempt(action)}
        >
          {formatName(action)}
        </Button>
      ),
    },
    {
      key: "amount",
      title: "Amount",
      isNumeric: true,
      cell: (action) => formatAmount(TRIES[action].amountMinor, "USD"),
    },
    {
      key: "because",
      title: "Forced by",
      cell: (action) => (isPossible(action) ? TRIES[action].because : <Missing action={action} />),
    },
  ];
}
