import { Link, useLocation } from "wouter";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { account } from "../../api/account.js";
import { issueAt } from "../../api/transport/problem.js";
import { Field } from "../../design/forms/field.js";
import { CodeField, codeOf } from "../../shell/code-field.js";
import { EntranceForm, textOf } from "../../shell/entrance-form.js";
import { Entrance } from "../../shell/entrance.js";

/** Reads `/dashboard/accept-invitation#token=…`. A browser never sends a fragment, so the token reaches no log. */
function invitationToken(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
}

export function AcceptInvitationPage() {
  const [, navigate] = useLocation();
  return (
    <Entrance
      title="Join a workspace"
      foot={
        <>
          No invitation? <Link to="/register">Create a workspace</Link>
        </>
      }
    >
      <EntranceForm
        submitLabel="Join"
        submit={(values) =>
          account.acceptInvitation({
            token: textOf(values, "token").trim(),
            name: textOf(values, "name"),
            password: textOf(values, "password"),
            ...codeOf(values),
          })
        }
        onSuccess={() => navigate("/", { replace: true })}
      >
        {(error) => (
          <>
            <Field
              label="Invitation"
              name="token"
              defaultValue={invitationToken()}
              autoComplete="off"
              spellCheck={false}
              error={issueAt(error, "token")}
              required
            />
            <Field
              label="Your name"
              name="name"
              autoComplete="name"
              maxLength={LIMITS.nameCharsMax}
              error={issueAt(error, "name")}
              required
            />
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="new-password"
              hint={`At least ${LIMITS.passwordCharsMin} characters; with an account already, its own.`}
              minLength={LIMITS.passwordCharsMin}
              maxLength={LIMITS.passwordCharsMax}
              error={issueAt(error, "password")}
              required
            />
            <CodeField error={error} />
          </>
        )}
      </EntranceForm>
    </Entrance>
  );
}
