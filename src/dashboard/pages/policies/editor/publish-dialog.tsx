import { useState } from "react";
import type { Policy, PolicyIssue } from "../../../../client/wire-types.js";
import { useLookAtLive, usePublish, type LivePolicy } from "../../../api/policies.js";
import { ProblemError, problemText, statusOf } from "../../../api/transport/problem.js";
import { Button } from "../../../design/forms/button.js";
import { Dialog } from "../../../design/feedback/dialog.js";
import { useToasts } from "../../../design/feedback/toast.js";
import { draftOf, toWire, type Draft } from "../draft/draft.js";
import { CommentField, commentOf } from "./comment-field.js";
import { IssueList } from "./lint-status.js";
import { OvertakenView } from "../versions/overtaken-view.js";
import { policyDiff } from "../versions/policy-diff.js";
import { PolicyDiffView } from "../versions/policy-diff-view.js";
import { useLint } from "./use-lint.js";
import { Foreign } from "../../../design/base/foreign.js";
import { isolated } from "../../../design/base/isolated.js";

const OVERTAKEN = "Another version went live meanwhile. Nothing was published: try again.";

interface PublishDialogProps {
  merchantId: string;
  draft: Draft;
  /** The stored version that equals the draft. Null if the draft has been edited since. */
  stored: Policy | null;
  comment: string;
  /** The live policy when the editing began. */
  base: LivePolicy;
  /** The last known live policy. */
  live: LivePolicy;
  /** Null if the comment is already stored. */
  onComment: ((comment: string) => void) | null;
  onDone(published: LivePolicy): void;
  onClose(): void;
  /** Continues with the draft's changes on top of the current live policy. */
  onMerge(live: LivePolicy): void;
  /** Drops the draft and continues with the current live policy. Null if there is nothing to drop. */
  onTake: ((live: LivePolicy) => void) | null;
}

/**
 * Shows what a version changes, and whether the service accepts it, before the version goes live. The version
 * replaces exactly the policy that it was compared with. If another version has gone live since the editing began,
 * the dialog shows both differences.
 */
export function PublishDialog(props: PublishDialogProps) {
  const { merchantId, draft, stored, comment, base, live, onDone, onClose, onMerge, onTake } = props;
  // The dialog compares with a fixed version, so that a refresh cannot change what a click confirms.
  const [shown, setShown] = useState(live);
  const [isLooking, setLooking] = useState(false);
  const lint = useLint(merchantId, draft, false);
  const publish = usePublish(merchantId);
  const lookAtLive = useLookAtLive(merchantId);
  const toasts = useToasts();
  const isRollback = stored?.status === "archived";
  const isOvertaken = shown.etag !== base.etag;
  const { error } = publish;
  const refused =
    error instanceof ProblemError && error.problem.kind === "policy_validation_failed"
      ? error.problem.issues
      : [];
  const issues = refused.length > 0 ? refused : lint.issues;
  const showAgain = async (): Promise<void> => {
    setLooking(true);
    try {
      const now = await lookAtLive();
      if (now.etag === shown.etag) return;
      setShown(now);
      publish.reset();
    } catch {
      // The live policy cannot be loaded, so the refusal stays visible.
    } finally {
      setLooking(false);
    }
  };
  const go = (): void =>
    publish.mutate(
      {
        what:
          stored === null
            ? { policy: { merchant_id: merchantId, ...toWire(draft), ...commentOf(comment) } }
            : { policyId: stored.policy_id },
        ifMatch: shown.etag,
      },
      {
        onSuccess: (published) => {
          toasts.done(`${isolated(published.policy?.version ?? draft.name)} is live`);
          onDone(published);
        },
        onError: (problem) => {
          if (statusOf(problem) === 412) void showAgain();
        },
      },
    );
  const verb = isRollback ? "Roll back" : "Publish";
  return (
    <Dialog
      title={<Title doing={isRollback ? `Roll back to ${stored.version}` : verb} name={draft.name} />}
      onClose={onClose}
    >
      <div className="publish">
        {isOvertaken ? (
          <OvertakenView draft={draft} yours={stored?.version ?? "your draft"} base={base} shown={shown} />
        ) : (
          <Replacement merchantId={merchantId} draft={draft} live={shown.policy} />
        )}
        <Comment {...props} />
        {issues.length === 0 ? null : <Refusal issues={issues} draft={draft} />}
        {error !== null && refused.length === 0 && !isLooking ? (
          <p className="field-error" role="alert">
            {statusOf(error) === 412 ? OVERTAKEN : problemText(error)}
          </p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          {!isOvertaken || onTake === null ? null : (
            <Button onClick={() => onTake(shown)}>Drop mine and take {nameOf(shown)}</Button>
          )}
          <Button
            kind={isOvertaken ? "danger" : "primary"}
            disabled={issues.length > 0 || lint.kind === "checking"}
            isBusy={publish.isPending || isLooking}
            onClick={go}
          >
            {isOvertaken ? `${verb} in place of ${nameOf(shown)}` : verb}
          </Button>
          {!isOvertaken || isRollback ? null : (
            <Button kind="primary" onClick={() => onMerge(shown)}>
              Put the changes on {nameOf(shown)}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Title({ doing, name }: { doing: string; name: string }) {
  return (
    <>
      {doing}: <Foreign text={name} />
    </>
  );
}

function Comment({ comment, onComment }: PublishDialogProps) {
  if (onComment !== null) return <CommentField value={comment} onChange={onComment} />;
  if (comment === "") return null;
  return (
    <p className="muted">
      Comment: “<Foreign text={comment} />”
    </p>
  );
}

function Refusal({ issues, draft }: { issues: readonly PolicyIssue[]; draft: Draft }) {
  return (
    <div className="publish-issues">
      <h3>The service refuses to publish this</h3>
      <p className="muted">A draft may have warnings; a live policy may not.</p>
      <IssueList issues={issues} draft={draft} />
    </div>
  );
}

function nameOf({ policy }: LivePolicy): string {
  return policy?.version ?? "nothing";
}

function Replacement({ merchantId, draft, live }: { merchantId: string; draft: Draft; live: Policy | null }) {
  return (
    <>
      <p className="muted">
        {live === null ? (
          <>
            <Foreign text={merchantId} /> has no live policy yet. All of this is new:
          </>
        ) : (
          <>
            Compared with the live {live.version} “<Foreign text={live.name} />
            ”, which becomes archived:
          </>
        )}
      </p>
      <PolicyDiffView
        diff={policyDiff(live === null ? null : draftOf(live), draft)}
        none="The rules are those of the live version."
      />
    </>
  );
}
