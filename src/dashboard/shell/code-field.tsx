import { useState } from "react";
import { wantsCode } from "../api/transport/problem.js";
import { Field } from "../design/forms/field.js";
import { textOf } from "./entrance-form.js";

/** ACC-16: asks for a one-time code once the service requires one. From then on the field stays. */
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

/** Returns the body's field for the code, or nothing if no code was typed. */
export function codeOf(values: FormData): { code?: string } {
  const code = textOf(values, "code").trim();
  return code === "" ? {} : { code };
}
