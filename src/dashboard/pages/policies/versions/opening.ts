import type { Policy } from "../../../../client/wire-types.js";
import type { LivePolicy } from "../../../api/policies.js";
import { draftOf, EMPTY_DRAFT, type Draft } from "../draft/draft.js";
import { mergeDrafts, type Merge } from "./policy-merge.js";

/** The state in which the editor begins. */
export interface Opening {
  /** The version that is edited, or null for a new one. */
  stored: Policy | null;
  /** Changes that are present from the beginning, because they were merged onto another version. */
  merge: Merge | null;
  /**
   * The live policy when editing began. It stays even if another one goes live. The difference is shown before anything
   * is replaced.
   */
  baseLive: LivePolicy;
}

export function storedDraft(stored: Policy | null): Draft {
  return stored === null ? EMPTY_DRAFT : draftOf(stored);
}

/** Puts the changes of `draft`, which began at `baseLive`, on top of the policy that is live now. */
export function mergeOnto(live: LivePolicy, baseLive: LivePolicy, draft: Draft): Opening {
  return {
    stored: live.policy,
    merge: mergeDrafts(storedDraft(baseLive.policy), storedDraft(live.policy), draft),
    baseLive: live,
  };
}
