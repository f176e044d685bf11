import { Link, useSearch } from "wouter";
import { account } from "../../api/account/account.js";
import { Field } from "../../design/forms/field.js";
import { CodeField, codeOf, OneTimeCodeField } from "../../shell/code-field.js";
import { EntranceForm, textOf } from "../../shell/entrance-form.js";
import { Entrance } from "../../shell/entrance.js";
import { isCodeAsked, isSingleSignOnSet, SingleSignOnLink, singleSignOnProblem } from "./single-sign-on.js";

export function SignInPage() {
  const search = useSearch();
  const problem = singleSignOnProblem(search);
  if (isCodeAsked(search)) return <CodePage />;
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
      {problem === null ? null : (
        <p className="entrance-problem" role="alert">
          {problem}
        </p>
      )}
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
      {isSingleSignOnSet() ? <SingleSignOnLink search={search} /> : null}
    </Entrance>
  );
}

/** The second step of sign-in, after the identity provider has proved the person. */
function CodePage() {
  return (
    <Entrance title="One-time code" foot={<Link to="/sign-in">Sign in in another way</Link>}>
      <EntranceForm
        submitLabel="Sign in"
        submit={(values) => account.enterOidcCode({ code: textOf(values, "code").trim() })}
      >
        {() => <OneTimeCodeField />}
      </EntranceForm>
    </Entrance>
  );
}
