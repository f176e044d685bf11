import type { Policy } from "../../../client/wire-policy.js";
import { useCreatePolicy, usePublishPolicy } from "../../api/policies.js";
import { ProblemError, problemText } from "../../api/problem.js";
import { Button } from "../../design/button.js";
import { Dialog } from "../../design/dialog.js";
import { useToasts } from "../../design/toast.js";
import { draftOf, toWire, type Draft } from "./draft.js";
import { IssueList } from "./lint-status.js";
import { policyDiff } from "./policy-diff.js";
import { PolicyDiffView } from "./policy-diff-view.js";
import { useLint } from "./use-lint.js";

interface PublishDialogProps {
  merchantId: string;
  draft: Draft;
  /** The stored version that the draft is, unless it was edited since. */
  stored: Policy | null;
  live: Policy | null;
  onDone(published: Policy): void;
  onClose(): void;
}

/** The last look before decisions are made by a version: what changes, and whether the service takes it. */
export function PublishDialog(props: PublishDialogProps) {
  const { merchantId, draft, stored, live, onDone, onClose } = props;
  const lint = useLint(merchantId, draft);
  const create = useCreatePolicy();
  const publish = usePublishPolicy(merchantId);
  const toasts = useToasts();
  const isRollback = stored?.status === "archived";
  const diff = policyDiff(live === null ? null : draftOf(live), draft);
  const error = create.error ?? publish.error;
  const refused =
    error instanceof ProblemError && error.problem.kind === "policy_validation_failed"
      ? error.problem.issues
      : [];
  const issues = refused.length > 0 ? refused : lint.issues;
  const done = ({ policy }: { policy: Policy }): void => {
    toasts.done(`${policy.version} is live`);
    onDone(policy);
  };
  const go = (): void => {
    if (stored === null)
      create.mutate({ merchant_id: merchantId, ...toWire(draft), publish: true }, { onSuccess: done });
    else publish.mutate(stored.policy_id, { onSuccess: done });
  };
  const title = isRollback ? `Roll back to ${stored.version}` : "Publish";
  return (
    <Dialog title={`${title}: ${draft.name}`} onClose={onClose}>
      <div className="publish">
        <p className="muted">
          {live === null
            ? `${merchantId} has no live policy yet. All of this is new:`
            : `Compared with the live ${live.version} “${live.name}”, which becomes archived:`}
        </p>
        <PolicyDiffView diff={diff} />
        {issues.length === 0 ? null : (
          <div className="publish-issues">
            <h3>The service refuses to publish this</h3>
            <p className="muted">A draft may have warnings; a live policy may not.</p>
            <IssueList issues={issues} draft={draft} />
          </div>
        )}
        {error !== null && refused.length === 0 ? (
          <p className="field-error" role="alert">
            {problemText(error)}
          </p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={issues.length > 0 || lint.kind === "checking"}
            isBusy={create.isPending || publish.isPending}
            onClick={go}
          >
            {isRollback ? "Roll back" : "Publish"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
