import { useState } from "react";
import { draftText, isEdited, type Draft } from "./draft.js";
import { parseDraft } from "./draft-text.js";

export interface Editing {
  draft: Draft;
  /** The draft as JSON. It is the person's own text while that text matches the draft or cannot be parsed. */
  text: string;
  /** The reason why the text is no draft. `draft` is then the last valid one. */
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
 * Edits one draft as a form and as JSON. It begins as `first`, and counts as edited when it differs from `base`.
 * `firstText` is unfinished JSON from an earlier session, or null.
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

/** `before` stays the draft while the text is none. */
function typedState(text: string, before: Draft): State {
  const parsed = parseDraft(text, before);
  return parsed.ok ? { draft: parsed.draft, text, problem: null } : { draft: before, text, problem: parsed };
}
