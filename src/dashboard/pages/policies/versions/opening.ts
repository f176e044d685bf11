import type { Policy } from "../../../../domain/policy/policy.js";
import type { LivePolicy } from "../../../api/policies.js";
import { draftOf, EMPTY_DRAFT, type Draft } from "../draft/draft.js";
import { mergeDrafts, type Merge } from "./policy-merge.js";

/** What the editor begins with. */
export interface Opening {
  /** The version that is edited; null for a new one. */
  stored: Policy | null;
  /** Changes that are there from the beginning, because they were put on another version. */
  merge: Merge | null;
  /** What was live then. It stays so whatever goes live meanwhile: that is shown before anything takes its place. */
  baseLive: LivePolicy;
}

export function storedDraft(stored: Policy | null): Draft {
  return stored === null ? EMPTY_DRAFT : draftOf(stored);
}

/** What `draft` changes about the policy that was live when it was begun, on top of the one that is live now. */
export function mergeOnto(live: LivePolicy, baseLive: LivePolicy, draft: Draft): Opening {
  return {
    stored: live.policy,
    merge: mergeDrafts(storedDraft(baseLive.policy), storedDraft(live.policy), draft),
    baseLive: live,
  };
}
