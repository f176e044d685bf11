import { useState } from "react";
import { readProblemText, statusOf } from "../../api/transport/problem.js";
import { Button } from "../forms/button.js";
import { Icon } from "../base/icon.js";
import "../base/badge.css";
import "../base/states.css";

interface ErrorStateProps {
  error: unknown;
  /** Repeats the request. The promise settles with the answer. */
  onRetry?: () => Promise<unknown>;
}

/** Says why a request failed and offers to repeat it. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const [isAsking, setAsking] = useState(false);
  const ask = (): void => {
    setAsking(true);
    void onRetry?.().finally(() => setAsking(false));
  };
  return (
    <div className="state" role="alert">
      <span className="state-icon tone-critical">
        <Icon name="drills" />
      </span>
      <h3>{statusOf(error) === 503 ? "Temporarily unavailable" : "This could not be loaded"}</h3>
      <p className="state-text">{readProblemText(error)}</p>
      {onRetry === undefined ? null : (
        <Button size="small" isBusy={isAsking} onClick={ask}>
          Try again
        </Button>
      )}
    </div>
  );
}
