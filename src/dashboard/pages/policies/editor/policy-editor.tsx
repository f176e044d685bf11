import { useEffect, useState } from "react";
import { useSaveDraft, type LivePolicy } from "../../../api/policies.js";
import { problemText } from "../../../api/transport/problem.js";
import { Button } from "../../../design/forms/button.js";
import { Panel } from "../../../design/layout/panel.js";
import { Tabs } from "../../../design/layout/tabs.js";
import { useToasts } from "../../../design/feedback/toast.js";
import { useChoice } from "../../../shell/address.js";
import { DraftForm } from "./draft-form.js";
import { toWire } from "../draft/draft.js";
import { IssuesProvider } from "../rules/issues.js";
import { JsonEditor } from "./json-editor.js";
import { WithForeign } from "../../../design/base/foreign.js";
import { IssueList, LintStatus } from "./lint-status.js";
import { mergeOnto, storedDraft, type Opening } from "../versions/opening.js";
import type { Merge } from "../versions/policy-merge.js";
import { PublishDialog } from "./publish-dialog.js";
import { useEditing } from "../draft/use-editing.js";
import { useLint } from "./use-lint.js";
import { Workbench } from "../trial/workbench.js";

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;

const VIEW_NAMES = VIEWS.map(({ value }) => value);

interface PolicyEditorProps extends Opening {
  merchantId: string;
  /** The live policy, as far as the page knows. */
  live: LivePolicy;
  mayWrite: boolean;
  onEdited(isEdited: boolean): void;
  /** Called when the editor's content was stored or abandoned. */
  onOpen(opening: Opening): void;
}

/** Edits the next version and tries it before it is stored. */
export function PolicyEditor(props: PolicyEditorProps) {
  const { merchantId, stored, merge, baseLive, live, mayWrite, onEdited, onOpen } = props;
  const [base] = useState(() => storedDraft(stored));
  const editing = useEditing(base, merge?.draft ?? base);
  const { draft, problem, isEdited } = editing;
  const isUntouched = stored === null && !isEdited;
  const lint = useLint(merchantId, draft, isUntouched);
  const [view, setView] = useChoice("editor", VIEW_NAMES, "form");
  const [isPublishing, setPublishing] = useState(false);
  const saving = useSaveDraft();
  const toasts = useToasts();
  useEffect(() => onEdited(isEdited), [isEdited, onEdited]);
  const hasErrors = problem !== null || lint.issues.some(({ severity }) => severity === "error");
  const isLive = stored?.status === "published" && !isEdited;
  const save = (): void =>
    saving.mutate(
      { merchant_id: merchantId, ...toWire(draft) },
      {
        onSuccess: ({ policy }) => {
          toasts.done(`Saved as draft ${policy.version}`);
          onOpen({ stored: policy, merge: null, baseLive });
        },
        onError: (error) => toasts.failed(problemText(error)),
      },
    );
  return (
    <div className="policy-columns">
      <IssuesProvider issues={lint.issues}>
        <Panel
          title={stored === null ? "New draft" : `Edit ${stored.version}`}
          note={isEdited ? "changed, not saved" : isLive ? "the live version" : undefined}
          actions={isUntouched ? null : <LintStatus lint={lint} />}
        >
          <div className="editor">
            <BeginningNotes merge={merge} baseLive={baseLive} live={live} />
            <Tabs label="Draft as" value={view} options={VIEWS} onChange={setView}>
              <div className="editor-view">
                {view === "form" ? <DraftForm editing={editing} /> : <JsonEditor editing={editing} />}
              </div>
            </Tabs>
            <IssueList issues={lint.issues} draft={draft} />
            <div className="editor-actions">
              {mayWrite ? null : <ReadersNote />}
              <Button disabled={!mayWrite || hasErrors || !isEdited} isBusy={saving.isPending} onClick={save}>
                Save draft
              </Button>
              <Button
                kind="primary"
                disabled={!mayWrite || hasErrors || isLive || isUntouched}
                onClick={() => setPublishing(true)}
              >
                Publish…
              </Button>
            </div>
          </div>
        </Panel>
      </IssuesProvider>
      <Workbench merchantId={merchantId} draft={draft} mayWrite={mayWrite} onDraft={editing.change} />
      {isPublishing ? (
        <PublishDialog
          merchantId={merchantId}
          draft={draft}
          stored={isEdited ? null : stored}
          base={baseLive}
          live={live}
          onDone={(published) => {
            setPublishing(false);
            onOpen({ stored: published.policy, merge: null, baseLive: published });
          }}
          onClose={() => setPublishing(false)}
          onMerge={(now) => onOpen(mergeOnto(now, baseLive, draft))}
          onTake={(now) => onOpen({ stored: now.policy, merge: null, baseLive: now })}
        />
      ) : null}
    </div>
  );
}

function ReadersNote() {
  return (
    <p className="muted">Your role may try drafts. An owner, admin or developer saves and publishes them.</p>
  );
}

/** Says which version the draft builds on, and whether another version went live since. */
function BeginningNotes({
  merge,
  baseLive,
  live,
}: {
  merge: Merge | null;
  baseLive: LivePolicy;
  live: LivePolicy;
}) {
  return (
    <>
      {merge === null ? null : (
        <div className="note tone-info" role="status">
          <p>
            The changes are on {baseLive.policy?.version ?? "an empty draft"} now. Look at them and publish.
          </p>
          {merge.clashes.length === 0 ? null : (
            <ul>
              {merge.clashes.map((clash) => (
                <li key={clash}>
                  <WithForeign text={clash} />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {baseLive.etag === live.etag ? null : (
        <p className="note tone-watch" role="status">
          {live.policy?.version ?? "Nothing"} went live after this was begun. Publish… shows both differences.
        </p>
      )}
    </>
  );
}
