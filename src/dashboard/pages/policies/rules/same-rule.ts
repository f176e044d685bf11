import { normalAction, type WrittenAction } from "../../../../domain/policy/normal-form.js";
import { actionForm } from "./actions.js";
import type { ActionDraft, RuleEdit, WhenDraft } from "../draft/draft.js";

/** Compares rules as the service stores them: with defaults filled in, and in any order of options. */

export function isSameWhen(a: WhenDraft, b: WhenDraft): boolean {
  return ordered(a) === ordered(b);
}

export function isSameThen(a: ActionDraft, b: ActionDraft): boolean {
  return ordered(normal(a)) === ordered(normal(b));
}

/** Compares without the rules' positions. */
export function isSameRule(a: RuleEdit, b: RuleEdit): boolean {
  return (
    a.name === b.name && a.enabled === b.enabled && isSameWhen(a.when, b.when) && isSameThen(a.then, b.then)
  );
}

function normal(then: ActionDraft): unknown {
  // The service refuses unknown types, so they are compared as written.
  return actionForm(then.type) === undefined ? then : normalAction(then as WrittenAction);
}

/** Returns a text that is equal for equal values, whatever the order of their members. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  );
}
