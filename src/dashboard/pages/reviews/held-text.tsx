import { Fragment } from "react";
import { Foreign } from "../../design/base/foreign.js";

/**
 * Names the rules that may have held a decision. Only a rule of type hold can hold, but `matched_rules` names all
 * matched rules of any type.
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
