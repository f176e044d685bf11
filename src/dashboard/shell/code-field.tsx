import { useState } from "react";
import { wantsCode } from "../api/transport/problem.js";
import { Field } from "../design/forms/field.js";
import { textOf } from "./entrance-form.js";

/** ACC-16: asks for a one-time code once the service has requested one. The field then stays. */
export function CodeField({ error }: { error: Error | null }) {
  const [isWanted, setWanted] = useState(false);
  if (!isWanted && wantsCode(error)) setWanted(true);
  return isWanted ? <OneTimeCodeField /> : null;
}

/** Accepts six digits or a recovery code. */
export function OneTimeCodeField() {
  return (
    <Field
      label="One-time code"
      name="code"
      inputMode="text"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      hint="Six digits of your authenticator app, or a recovery code."
      minLength={6}
      maxLength={32}
      autoFocus
      required
    />
  );
}

/** The code of a body, if one was typed; else no such field. */
export function codeOf(values: FormData): { code?: string } {
  const code = textOf(values, "code").trim();
  return code === "" ? {} : { code };
}
