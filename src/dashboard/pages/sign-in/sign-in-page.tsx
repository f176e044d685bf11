import { Link, useSearch } from "wouter";
import { account } from "../../api/account/account.js";
import { Field } from "../../design/forms/field.js";
import { CodeField, codeOf } from "../../shell/code-field.js";
import { EntranceForm, textOf } from "../../shell/entrance-form.js";
import { Entrance } from "../../shell/entrance.js";

export function SignInPage() {
  const search = useSearch();
  return (
    <Entrance
      title="Sign in"
      foot={
        <>
          New here? <Link to={`/register${search === "" ? "" : `?${search}`}`}>Create a workspace</Link>{" "}
          <Link to="/forgot-password">Forgot your password?</Link>
        </>
      }
    >
      <EntranceForm
        submitLabel="Sign in"
        submit={(values) =>
          account.signIn({
            email: textOf(values, "email"),
            password: textOf(values, "password"),
            ...codeOf(values),
          })
        }
      >
        {(error) => (
          <>
            <Field label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
            <CodeField error={error} />
          </>
        )}
      </EntranceForm>
    </Entrance>
  );
}
