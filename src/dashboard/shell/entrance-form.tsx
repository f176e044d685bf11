import type { ReactNode } from "react";
import { useAction } from "../api/transport/action.js";
import { problemText } from "../api/transport/problem.js";
import { Button } from "../design/forms/button.js";
import { assertCookieKept, whyNoSession } from "../session/cookie-check.js";
import { useSession } from "../session/session.js";

interface EntranceFormProps {
  submitLabel: string;
  /** Resolves once the service has set the session's cookie. */
  submit(values: FormData): Promise<unknown>;
  onSuccess?: () => void;
  /** Renders the fields. It receives the error of the last attempt. */
  children(error: Error | null): ReactNode;
}

/** A form that starts a session when it succeeds. */
export function EntranceForm({ submitLabel, submit, onSuccess, children }: EntranceFormProps) {
  const { began } = useSession();
  const attempt = useAction({
    meta: { isAttempt: true },
    async mutationFn(values: FormData) {
      await submit(values);
      await assertCookieKept();
    },
    onSuccess() {
      onSuccess?.();
      began();
    },
  });
  // DASH-7: an obstacle to the session's cookie is shown before anything is sent. Otherwise a registration would
  // create the account without a session.
  const obstacle = whyNoSession();
  const problem = obstacle ?? (attempt.error === null ? null : problemText(attempt.error));
  return (
    <form
      className="entrance-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (obstacle === null) attempt.mutate(new FormData(event.currentTarget));
      }}
    >
      {problem === null ? null : (
        <p className="entrance-problem" role="alert">
          {problem}
        </p>
      )}
      {children(attempt.error)}
      <Button
        type="submit"
        kind="primary"
        size="wide"
        isBusy={attempt.isPending}
        disabled={obstacle !== null}
      >
        {submitLabel}
      </Button>
    </form>
  );
}

/** Returns the value of a text field, or '' if the form has no such field. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}
