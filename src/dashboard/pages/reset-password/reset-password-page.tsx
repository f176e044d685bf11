import { useState } from "react";
import { Link, useLocation } from "wouter";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { account } from "../../api/account/account.js";
import { useAction } from "../../api/transport/action.js";
import { issueAt } from "../../api/transport/problem.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { Entrance } from "../../shell/entrance.js";
import { textOf } from "../../shell/entrance-form.js";

/** Reads `/dashboard/reset-password#token=…`. A browser never sends a fragment, so the token reaches no log. */
function resetToken(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
}

/** ACC-13: the token sets a new password and starts no session. */
export function ResetPasswordPage() {
  const [, navigate] = useLocation();
  const [token] = useState(resetToken);
  const reset = useAction({
    // The mutation's variables contain a password, so they are removed when the page closes.
    gcTime: 0,
    meta: { isAttempt: true },
    mutationFn: account.resetPassword,
    // The token works once, so it is removed from the address.
    onSuccess: () => navigate("/reset-password", { replace: true }),
  });
  if (reset.isSuccess) {
    return (
      <Entrance title="The password is set">
        <p role="status">All of your sessions have ended. Sign in with the new password.</p>
        <Link to="/sign-in">Sign in</Link>
      </Entrance>
    );
  }
  return (
    <Entrance
      title="Set a new password"
      foot={
        <>
          Know your password? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      <Form
        submitLabel="Set the password"
        isBusy={reset.isPending}
        error={reset.error}
        onSubmit={(values) =>
          reset.mutate({
            token: textOf(values, "token").trim(),
            new_password: textOf(values, "new_password"),
          })
        }
      >
        <Field
          label="Reset token"
          name="token"
          defaultValue={token}
          autoComplete="off"
          spellCheck={false}
          hint="It is in the link that was sent or given to you."
          error={issueAt(reset.error, "token")}
          required
        />
        <Field
          label="New password"
          name="new_password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${LIMITS.passwordCharsMin} characters.`}
          minLength={LIMITS.passwordCharsMin}
          maxLength={LIMITS.passwordCharsMax}
          error={issueAt(reset.error, "new_password")}
          required
        />
      </Form>
    </Entrance>
  );
}
