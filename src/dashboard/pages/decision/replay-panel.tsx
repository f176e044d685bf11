import { useState } from "react";
import type { Replay } from "../../../client/wire-types.js";
import { useReplay } from "../../api/decisions.js";
import { Button } from "../../design/forms/button.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Icon } from "../../design/base/icon.js";
import { Panel } from "../../design/layout/panel.js";
import { useMode } from "../../shell/mode.js";

const HEIGHT_PX = 96;

/** Repeats the decision with its recorded input, and shows whether the result is the same. */
export function ReplayPanel({ decisionId }: { decisionId: string }) {
  const { mode } = useMode();
  const { data, error, isFetching, refetch } = useReplay(mode, decisionId);
  const [isAsked, setAsked] = useState(false);
  return (
    <Panel
      title="Replay"
      actions={
        <Button
          size="small"
          isBusy={isAsked && isFetching}
          onClick={() => {
            setAsked(true);
            void refetch();
          }}
        >
          <Icon name="replay" />
          {isAsked ? "Replay again" : "Replay"}
        </Button>
      }
    >
      <div className="replay" style={{ minHeight: HEIGHT_PX }} role="status">
        {!isAsked ? (
          <p className="muted">
            Makes the decision again from the request, policy version, provider health, prices and settings it
            saw, and compares every field. Nothing is stored.
          </p>
        ) : isFetching ? (
          <p className="muted">Deciding again…</p>
        ) : error !== null ? (
          <ErrorState error={error} />
        ) : data === undefined ? null : (
          <ReplayResult replay={data} />
        )}
      </div>
    </Panel>
  );
}

function ReplayResult({ replay }: { replay: Replay }) {
  const { identical, differences, missing } = replay;
  if (identical === true) {
    return (
      <p className="replay-verdict">
        <span className="state-icon tone-good">
          <Icon name="check" />
        </span>
        <span>
          <strong>Identical</strong>
          <br />
          <span className="muted">Every field came out as it was recorded.</span>
        </span>
      </p>
    );
  }
  if (identical === null) {
    return (
      <p>
        <strong>Cannot be known.</strong> No longer recorded of what the decision saw: {missing.join(", ")}.
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>{differences.length} differences</strong>
      </p>
      <ul className="replay-differences">
        {differences.map(({ path, recorded, replayed }) => (
          <li key={path}>
            <code>{path}</code> {JSON.stringify(recorded)} → {JSON.stringify(replayed)}
          </li>
        ))}
      </ul>
    </>
  );
}
