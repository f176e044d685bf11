import { useEffect, useMemo } from "react";
import type { PolicyTemplate } from "../../../../client/wire-types.js";
import { useAccount } from "../../../session/session.js";
import { kept } from "../../../session/kept.js";

/** The unsaved draft of an editing session. */
export interface KeptDraft {
  /** The id of the editing session. */
  id: string;
  savedAtMs: number;
  /** The version that was edited, or null for a new one. */
  storedId: string | null;
  /** The policy that was live when the session began, or null. */
  baseId: string | null;
  baseEtag: string;
  comment: string;
  /** The last valid draft, as JSON. */
  text: string;
  /** The template that the draft began with. It names the values that are still to be chosen. */
  template?: Pick<PolicyTemplate, "name" | "default_provider" | "rules" | "choices">;
  /** The typed JSON while it is not a valid draft. */
  unparsed: string | null;
}

/** More drafts than this are not kept, so that abandoned ones do not accumulate. */
const KEPT_MAX = 5;

export interface KeptDrafts {
  /** Newest first. */
  list(): KeptDraft[];
  keep(draft: KeptDraft): void;
  forget(id: string): void;
}

/**
 * DASH-13: stores the unsaved drafts of this person for one merchant. Each editing session has its own draft, also in
 * another tab.
 */
export function useKeptDrafts(merchantId: string): KeptDrafts {
  const { user, workspace } = useAccount();
  const start = `${user.user_id}.${workspace.id}.${encodeURIComponent(merchantId)}/`;
  return useMemo(() => draftsBelow(start), [start]);
}

function draftsBelow(start: string): KeptDrafts {
  return {
    list() {
      const drafts = kept.names(start).flatMap((name) => read(kept.get(name)) ?? []);
      drafts.sort((a, b) => b.savedAtMs - a.savedAtMs);
      for (const { id } of drafts.splice(KEPT_MAX)) kept.remove(start + id);
      return drafts;
    },
    keep: (draft) => kept.set(start + draft.id, JSON.stringify(draft)),
    forget: (id) => kept.remove(start + id),
  };
}

/**
 * Returns null for a missing text, or one that is not a whole draft, as another version of the dashboard may have
 * stored.
 */
function read(text: string | null): KeptDraft | null {
  try {
    const draft = JSON.parse(text ?? "") as Partial<KeptDraft> | null;
    const isWhole = typeof draft?.id === "string" && typeof draft.text === "string";
    return isWhole && typeof draft.baseEtag === "string" && typeof draft.savedAtMs === "number"
      ? (draft as KeptDraft)
      : null;
  } catch {
    return null;
  }
}

/** Stores the draft after each change. A draft without changes is not stored. */
export function useKeeping(drafts: KeptDrafts, draft: Omit<KeptDraft, "savedAtMs">, isEdited: boolean): void {
  const text = JSON.stringify(draft);
  useEffect(() => {
    const content = JSON.parse(text) as typeof draft;
    if (isEdited) drafts.keep({ ...content, savedAtMs: Date.now() });
    else drafts.forget(content.id);
  }, [drafts, text, isEdited]);
}
