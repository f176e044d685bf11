import { useState } from "react";
import { draftText, isEdited, type Draft } from "./draft.js";
import { parseDraft } from "./draft-text.js";

export interface Editing {
  draft: Draft;
  /** The typed text, if the last change was typed. Otherwise the draft as JSON. */
  text: string;
  /** The reason why the text is not a draft. `draft` is then the last valid one. */
  problem: { message: string; line: number | null } | null;
  isEdited: boolean;
  change(draft: Draft): void;
  changeText(text: string): void;
  /** Returns to the last valid draft. */
  discardText(): void;
}

interface State {
  draft: Draft;
  text: string | null;
  problem: Editing["problem"];
}

/**
 * Edits one draft, both as a form and as JSON. It begins with `first`, and counts as edited if it differs from
 * `base`. `firstText` is invalid JSON that an earlier session left, or null.
 */
export function useEditing(base: Draft, first: Draft, firstText: string | null): Editing {
  const [{ draft, text, problem }, setState] = useState<State>(() =>
    firstText === null ? { draft: first, text: null, problem: null } : typedState(firstText, first),
  );
  return {
    draft,
    text: text ?? draftText(draft),
    problem,
    isEdited: problem !== null || isEdited(base, draft),
    change: (changed) => setState({ draft: changed, text: null, problem: null }),
    changeText: (typed) => setState((before) => typedState(typed, before.draft)),
    discardText: () => setState({ draft, text: null, problem: null }),
  };
}

/** While the text is not valid, the draft stays as it was before. */
function typedState(text: string, before: Draft): State {
  const parsed = parseDraft(text, before);
  return parsed.ok ? { draft: parsed.draft, text, problem: null } : { draft: before, text, problem: parsed };
}
