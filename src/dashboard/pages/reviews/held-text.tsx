import { Fragment } from "react";
import { Foreign } from "../../design/base/foreign.js";

/**
 * Which rules brought a held decision here, as far as its names tell: a hold comes from a rule of type hold and from nothing
 * else, but `matched_rules` names every rule that matched, whatever it did.
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
