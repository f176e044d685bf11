import { Link } from "wouter";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { account } from "../../api/account/account.js";
import { issueAt } from "../../api/transport/problem.js";
import { Field } from "../../design/forms/field.js";
import { EntranceForm, textOf } from "../../shell/entrance-form.js";
import { Entrance } from "../../shell/entrance.js";

export function RegisterPage() {
  return (
    <Entrance
      title="Create a workspace"
      foot={
        <>
          Have an account? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      <EntranceForm submitLabel="Create the workspace" submit={register}>
        {(error) => (
          <>
            <Field
              label="Workspace"
              name="workspace_name"
              autoComplete="organization"
              maxLength={LIMITS.nameCharsMax}
              error={issueAt(error, "workspace_name")}
              required
              autoFocus
            />
            <Field
              label="First merchant"
              name="merchant_id"
              hint="Its id in decision requests; more can be added later."
              maxLength={LIMITS.merchantIdCharsMax}
              pattern="[A-Za-z0-9_.:\-]+"
              error={issueAt(error, "merchant_id")}
            />
            <Field
              label="Your name"
              name="name"
              autoComplete="name"
              maxLength={LIMITS.nameCharsMax}
              error={issueAt(error, "name")}
            />
            <Field
              label="E-mail"
              name="email"
              type="email"
              autoComplete="username"
              maxLength={LIMITS.emailCharsMax}
              error={issueAt(error, "email")}
              required
            />
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="new-password"
              hint={`At least ${LIMITS.passwordCharsMin} characters.`}
              minLength={LIMITS.passwordCharsMin}
              maxLength={LIMITS.passwordCharsMax}
              error={issueAt(error, "password")}
              required
            />
          </>
        )}
      </EntranceForm>
    </Entrance>
  );
}

function register(values: FormData): Promise<unknown> {
  const name = textOf(values, "name");
  const merchantId = textOf(values, "merchant_id");
  return account.register({
    email: textOf(values, "email"),
    password: textOf(values, "password"),
    workspace_name: textOf(values, "workspace_name"),
    ...(name === "" ? {} : { name }),
    ...(merchantId === "" ? {} : { merchant_id: merchantId }),
  });
}
