import { useState } from "react";
import { draftText, isEdited, type Draft } from "./draft.js";
import { parseDraft } from "./draft-text.js";

export interface Editing {
  draft: Draft;
  /** As JSON: the person's own text as long as it stands for the draft, or stands for none. */
  text: string;
  /** Why the text stands for no draft; the draft is then the last one it stood for. */
  problem: { message: string; line: number | null } | null;
  isEdited: boolean;
  change(draft: Draft): void;
  changeText(text: string): void;
  /** Back to the last draft. */
  discardText(): void;
}

interface State {
  draft: Draft;
  text: string | null;
  problem: Editing["problem"];
}

/** One draft, edited as a form and as JSON; it begins as `first`, and is edited where it differs from `base`. */
export function useEditing(base: Draft, first: Draft): Editing {
  const [{ draft, text, problem }, setState] = useState<State>({ draft: first, text: null, problem: null });
  return {
    draft,
    text: text ?? draftText(draft),
    problem,
    isEdited: problem !== null || isEdited(base, draft),
    change: (changed) => setState({ draft: changed, text: null, problem: null }),
    changeText: (typed) =>
      setState((before) => {
        const parsed = parseDraft(typed, before.draft);
        return parsed.ok
          ? { draft: parsed.draft, text: typed, problem: null }
          : { draft: before.draft, text: typed, problem: parsed };
      }),
    discardText: () => setState({ draft, text: null, problem: null }),
  };
}
