import { Link } from "wouter";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { account } from "../../api/account/account.js";
import { useAction } from "../../api/transport/action.js";
import { issueAt } from "../../api/transport/problem.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { Entrance } from "../../shell/entrance.js";
import { textOf } from "../../shell/entrance-form.js";

/**
 * DASH-35: requests a letter with a link for a new password. The page shows the same text for every address, so it
 * does not reveal who has an account.
 */
export function ForgotPasswordPage() {
  const ask = useAction({ meta: { isAttempt: true }, mutationFn: account.forgotPassword });
  if (ask.isSuccess) {
    return (
      <Entrance title="Look into your mailbox">
        <p role="status">
          If this address has an account, a link to a new password is on its way. It works once, for an hour.
          A deployment without mail sends none: an owner or admin can make you a link there.
        </p>
        <Link to="/sign-in">Sign in</Link>
      </Entrance>
    );
  }
  return (
    <Entrance
      title="Forgot your password?"
      foot={
        <>
          Know it again? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      <Form
        submitLabel="Send a link"
        isBusy={ask.isPending}
        error={ask.error}
        onSubmit={(values) => ask.mutate({ email: textOf(values, "email").trim() })}
      >
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          maxLength={LIMITS.emailCharsMax}
          error={issueAt(ask.error, "email")}
          required
          autoFocus
        />
      </Form>
    </Entrance>
  );
}
