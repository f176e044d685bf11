import type { Policy, PolicyTemplate } from "../../../../client/wire-types.js";
import type { LivePolicy } from "../../../api/policies.js";
import { parseDraft } from "../draft/draft-text.js";
import type { KeptDraft } from "../draft/kept-drafts.js";
import { draftOf, draftOfTemplate, EMPTY_DRAFT, type Draft } from "../draft/draft.js";
import { mergeDrafts, type Merge } from "./policy-merge.js";

export type Template = Pick<PolicyTemplate, "name" | "default_provider" | "rules" | "choices">;

/** The state in which the editor begins. */
export interface Opening {
  /** The version to edit, or null for a new one. */
  stored: Policy | null;
  /** Changes that the draft has from the beginning, because they were merged onto another version. */
  merge: Merge | null;
  /**
   * The live policy when the editing began. It stays the same if another version goes live, so that the difference
   * can be shown before anything is replaced.
   */
  baseLive: LivePolicy;
  /** The comment that the person has written so far. */
  comment?: string;
  /** POL-24: the template that a new version begins with. */
  template?: Template;
  /** The stored draft of the session that is continued. */
  kept?: KeptDraft;
}

/** Returns the draft that the editor shows first. */
export function firstDraft({ stored, merge, kept, template }: Opening): Draft {
  if (merge !== null) return merge.draft;
  const parsed = kept === undefined ? null : parseDraft(kept.text, EMPTY_DRAFT);
  if (parsed?.ok === true) return parsed.draft;
  return stored === null && template !== undefined ? draftOfTemplate(template) : storedDraft(stored);
}

/** DASH-13: continues a stored draft. Its base is still the policy that was live when the draft was begun. */
export function continueKept(kept: KeptDraft, policies: readonly Policy[]): Opening {
  const find = (id: string | null): Policy | null =>
    policies.find(({ policy_id }) => policy_id === id) ?? null;
  return {
    stored: find(kept.storedId),
    merge: null,
    baseLive: { policy: find(kept.baseId), etag: kept.baseEtag },
    comment: kept.comment,
    ...(kept.template === undefined ? {} : { template: kept.template }),
    kept,
  };
}

export function storedDraft(stored: Policy | null): Draft {
  return stored === null ? EMPTY_DRAFT : draftOf(stored);
}

/** Takes the changes that lead from `baseLive` to `draft`, and applies them to `live`. */
export function mergeOnto(live: LivePolicy, baseLive: LivePolicy, draft: Draft, comment = ""): Opening {
  return {
    comment,
    stored: live.policy,
    merge: mergeDrafts(storedDraft(baseLive.policy), storedDraft(live.policy), draft),
    baseLive: live,
  };
}
