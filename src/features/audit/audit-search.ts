import { AUDIT_ACTIONS, type AuditAction } from "../../domain/vocabulary/audit-actions.js";

/** ADM-13: a search for entries that have one of these actions, or a resource whose id begins with the text. */
export interface AuditSearch {
  actions: readonly AuditAction[];
  resourcePrefix: string;
}

/** ADM-13: an action matches if each word of the text is the beginning of one of the action's words. */
export function auditSearchOf(text: string): AuditSearch {
  const words = wordsOf(text.toLowerCase());
  const actions = AUDIT_ACTIONS.filter((action) =>
    words.every((word) => wordsOf(action).some((own) => own.startsWith(word))),
  );
  return { actions: words.length === 0 ? [] : actions, resourcePrefix: text };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s._-]+/).filter((word) => word !== "");
}
