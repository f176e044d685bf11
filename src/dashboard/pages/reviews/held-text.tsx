import { Fragment } from "react";
import { Foreign } from "../../design/base/foreign.js";

/**
 * Names the rules that may have caused a hold. Only a rule of type hold can do so, but `matched_rules` has the
 * matched rules of every type.
 */
export function HeldText({ matchedRules }: { matchedRules: readonly string[] }) {
  if (matchedRules.length === 0) return "Held by a policy rule";
  return (
    <>
      {matchedRules.length === 1 ? "Held by " : "Held by a policy rule. Rules that matched: "}
      {matchedRules.map((name, at) => (
        <Fragment key={name}>
          {at === 0 ? "" : ", "}“<Foreign text={name} />”
        </Fragment>
      ))}
    </>
  );
}
