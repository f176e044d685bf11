import { useEffect, useState } from "react";
import type { Policy } from "../../../client/wire-policy.js";
import { useCreatePolicy } from "../../api/policies.js";
import { problemText } from "../../api/problem.js";
import { Button } from "../../design/button.js";
import { Panel } from "../../design/panel.js";
import { Tabs } from "../../design/tabs.js";
import { useToasts } from "../../design/toast.js";
import { DraftForm } from "./draft-form.js";
import { toWire, type Draft } from "./draft.js";
import { IssuesProvider } from "./issues.js";
import { JsonEditor } from "./json-editor.js";
import { IssueList, LintStatus } from "./lint-status.js";
import { PublishDialog } from "./publish-dialog.js";
import { useEditing } from "./use-editing.js";
import { useLint } from "./use-lint.js";
import { Workbench } from "./workbench.js";

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;

interface PolicyEditorProps {
  merchantId: string;
  base: Draft;
  /** The version it began with; null for an empty draft. */
  stored: Policy | null;
  live: Policy | null;
  mayWrite: boolean;
  onEdited(isEdited: boolean): void;
  /** A new version holds what is in the editor. */
  onStored(policy: Policy): void;
}

/** The next version, and what can be tried with it before it is one. */
export function PolicyEditor(props: PolicyEditorProps) {
  const { merchantId, base, stored, live, mayWrite, onEdited, onStored } = props;
  const editing = useEditing(base);
  const { draft, problem, isEdited } = editing;
  const lint = useLint(merchantId, draft);
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("form");
  const [isPublishing, setPublishing] = useState(false);
  const create = useCreatePolicy();
  const toasts = useToasts();
  useEffect(() => onEdited(isEdited), [isEdited, onEdited]);
  const hasErrors = problem !== null || lint.issues.some(({ severity }) => severity === "error");
  const isLive = stored?.status === "published" && !isEdited;
  const save = (): void =>
    create.mutate(
      { merchant_id: merchantId, ...toWire(draft) },
      {
        onSuccess: ({ policy }) => {
          toasts.done(`Saved as draft ${policy.version}`);
          onStored(policy);
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
          actions={<LintStatus lint={lint} />}
        >
          <div className="editor">
            <Tabs label="Draft as" value={view} options={VIEWS} onChange={setView}>
              <div className="editor-view">
                {view === "form" ? <DraftForm editing={editing} /> : <JsonEditor editing={editing} />}
              </div>
            </Tabs>
            <IssueList issues={lint.issues} draft={draft} />
            <div className="editor-actions">
              {mayWrite ? null : (
                <p className="muted">
                  Your role may try drafts. An owner, admin or developer saves and publishes them.
                </p>
              )}
              <Button disabled={!mayWrite || hasErrors || !isEdited} isBusy={create.isPending} onClick={save}>
                Save draft
              </Button>
              <Button
                kind="primary"
                disabled={!mayWrite || hasErrors || isLive}
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
          live={live}
          onDone={(policy) => {
            setPublishing(false);
            onStored(policy);
          }}
          onClose={() => setPublishing(false)}
        />
      ) : null}
    </div>
  );
}
