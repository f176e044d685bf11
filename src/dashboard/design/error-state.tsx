import { problemText, statusOf } from "../api/problem.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";
import "./badge.css";
import "./states.css";

/** What was asked for did not come: why, and another try. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div className="state" role="alert">
      <span className="state-icon tone-critical">
        <Icon name="drills" />
      </span>
      <h3>{statusOf(error) === 503 ? "Temporarily unavailable" : "This could not be loaded"}</h3>
      <p className="state-text">{problemText(error)}</p>
      {onRetry === undefined ? null : (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
