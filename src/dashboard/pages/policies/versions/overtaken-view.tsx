import { useId, type ReactNode } from "react";
import type { LivePolicy } from "../../../api/policies.js";
import { draftOf, type Draft } from "../draft/draft.js";
import { Person } from "./people.js";
import { storedDraft } from "./opening.js";
import { policyDiff } from "./policy-diff.js";
import { PolicyDiffView } from "./policy-diff-view.js";
import { Foreign } from "../../../design/base/foreign.js";

interface OvertakenViewProps {
  draft: Draft;
  /** The name of the draft in the dialog. */
  yours: string;
  /** The live policy when the editing began. */
  base: LivePolicy;
  /** The policy that is live now. */
  shown: LivePolicy;
}

/** DASH-4: compares the policy that was live when the editing began with the current one, and with the draft. */
export function OvertakenView({ draft, yours, base, shown }: OvertakenViewProps) {
  const baseDraft = base.policy === null ? null : draftOf(base.policy);
  const from = base.policy?.version ?? "nothing";
  const to = shown.policy?.version ?? "nothing";
  return (
    <>
      <p className="note tone-watch" role="alert">
        {shown.policy === null ? (
          "No version is live any more. "
        ) : (
          <>
            {to} “<Foreign text={shown.policy.name} />” went live after you began, in place of {from}.{" "}
            <Person actor={shown.policy.published_by} /> published it.{" "}
          </>
        )}
        Nothing of yours has been published.
      </p>
      <Side title={`What went live: ${from} to ${to}`}>
        <PolicyDiffView
          diff={policyDiff(baseDraft, storedDraft(shown.policy))}
          none="The rules are the same."
        />
      </Side>
      <Side title={`What you would publish: ${from} to ${yours}`}>
        <PolicyDiffView diff={policyDiff(baseDraft, draft)} none="You changed no rule." />
      </Side>
      <p className="muted">
        If yours takes the place of {to}, what went live is undone wherever yours differs from it.
      </p>
    </>
  );
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="publish-side" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}
