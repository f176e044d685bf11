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
  /** The fields; told what the last attempt was refused for. */
  children(error: Error | null): ReactNode;
}

/** A form that ends in a session. */
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
  // DASH-7: said before anything is sent, since a registration would have made the account.
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

/** The value of a text field; empty where the form has none. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}
