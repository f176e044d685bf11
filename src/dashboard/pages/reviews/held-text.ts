/**
 * Which rules brought a held decision here, as far as its names tell: a hold comes from a rule of type hold and from nothing
 * else, but `matched_rules` names every rule that matched, whatever it did.
 */
export function heldText(matchedRules: readonly string[]): string {
  const [only, ...others] = matchedRules;
  if (only === undefined) return "Held by a policy rule";
  if (others.length === 0) return `Held by “${only}”`;
  return `Held by a policy rule. Rules that matched: “${matchedRules.join("”, “")}”`;
}
