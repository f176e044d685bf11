import { useEffect, useState } from "react";
import type { NewPolicy, Policy } from "../../../../client/wire-types.js";
import { useSaveDraft, type LivePolicy } from "../../../api/policies.js";
import { problemText } from "../../../api/transport/problem.js";
import { Button } from "../../../design/forms/button.js";
import { Panel } from "../../../design/layout/panel.js";
import { Tabs } from "../../../design/layout/tabs.js";
import { useToasts } from "../../../design/feedback/toast.js";
import { useChoice } from "../../../shell/address.js";
import { DraftForm } from "./draft-form.js";
import { draftText, toWire } from "../draft/draft.js";
import { useKeeping, type KeptDrafts } from "../draft/kept-drafts.js";
import { IssuesProvider } from "../rules/issues.js";
import { JsonEditor } from "./json-editor.js";
import { BeginningNotes } from "./beginning-notes.js";
import { CommentField, commentOf } from "./comment-field.js";
import { IssueList, LintStatus } from "./lint-status.js";
import { firstDraft, mergeOnto, storedDraft, type Opening } from "../versions/opening.js";
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
  /** The id of the editing session. */
  sessionId: string;
  drafts: KeptDrafts;
  /** The last known live policy. */
  live: LivePolicy;
  mayWrite: boolean;
  onEdited(isEdited: boolean): void;
  /** Called when the editor's content was stored or abandoned. */
  onOpen(opening: Opening): void;
}

/** Edits the next version of a policy, and tries it out before it is stored. */
export function PolicyEditor(props: PolicyEditorProps) {
  const { merchantId, stored, merge, baseLive, live, template, mayWrite, onEdited, onOpen } = props;
  const begunWith = template === undefined ? {} : { template };
  const { editing, comment, setComment } = useSession(props);
  const { draft, problem, isEdited } = editing;
  const isUntouched = stored === null && !isEdited;
  const lint = useLint(merchantId, draft, isUntouched);
  const [view, setView] = useChoice("editor", VIEW_NAMES, "form");
  const [isPublishing, setPublishing] = useState(false);
  useEffect(() => onEdited(isEdited), [isEdited, onEdited]);
  const hasErrors = problem !== null || lint.issues.some(({ severity }) => severity === "error");
  const isLive = stored?.status === "published" && !isEdited;
  return (
    <div className="policy-columns">
      <IssuesProvider issues={lint.issues}>
        <Panel
          title={stored === null ? "New draft" : `Edit ${stored.version}`}
          note={isEdited ? "changed, not saved" : isLive ? "the live version" : undefined}
          actions={isUntouched ? null : <LintStatus lint={lint} />}
        >
          <div className="editor">
            <BeginningNotes merge={merge} baseLive={baseLive} live={live} template={template} />
            <Tabs label="Draft as" value={view} options={VIEWS} onChange={setView}>
              <div className="editor-view">
                {view === "form" ? <DraftForm editing={editing} /> : <JsonEditor editing={editing} />}
              </div>
            </Tabs>
            <IssueList issues={lint.issues} draft={draft} />
            {isEdited && mayWrite ? <CommentField value={comment} onChange={setComment} /> : null}
            <div className="editor-actions">
              {mayWrite ? null : <ReadersNote />}
              <SaveButton
                body={{ merchant_id: merchantId, ...toWire(draft), ...commentOf(comment) }}
                isOff={!mayWrite || hasErrors || !isEdited}
                onSaved={(policy) => onOpen({ stored: policy, merge: null, baseLive, ...begunWith })}
              />
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
          comment={isEdited ? comment : (stored?.comment ?? "")}
          base={baseLive}
          live={live}
          onComment={isEdited ? setComment : null}
          onDone={(published) => {
            setPublishing(false);
            onOpen({ stored: published.policy, merge: null, baseLive: published });
          }}
          onClose={() => setPublishing(false)}
          onMerge={(now) => onOpen(mergeOnto(now, baseLive, draft, comment))}
          onTake={(now) => onOpen({ stored: now.policy, merge: null, baseLive: now })}
        />
      ) : null}
    </div>
  );
}

/** The draft and its comment. The browser stores them until they are saved or discarded. */
function useSession(props: PolicyEditorProps) {
  const { stored, baseLive, sessionId, drafts, kept, template } = props;
  const [base] = useState(() => storedDraft(stored));
  const [first] = useState(() => firstDraft(props));
  const editing = useEditing(base, first, kept?.unparsed ?? null);
  const [comment, setComment] = useState(
    // A person who continues a draft also continues its comment.
    () => props.comment ?? (stored?.status === "draft" ? stored.comment : null) ?? "",
  );
  const content = {
    id: sessionId,
    storedId: stored?.policy_id ?? null,
    baseId: baseLive.policy?.policy_id ?? null,
    baseEtag: baseLive.etag,
    comment,
    text: draftText(editing.draft),
    ...(template === undefined ? {} : { template }),
    unparsed: editing.problem === null ? null : editing.text,
  };
  useKeeping(drafts, content, editing.isEdited);
  return { editing, comment, setComment };
}

interface SaveButtonProps {
  body: NewPolicy;
  isOff: boolean;
  onSaved(policy: Policy): void;
}

function SaveButton({ body, isOff, onSaved }: SaveButtonProps) {
  const saving = useSaveDraft();
  const toasts = useToasts();
  const save = (): void =>
    saving.mutate(body, {
      onSuccess: ({ policy }) => {
        toasts.done(`Saved as draft ${policy.version}`);
        onSaved(policy);
      },
      onError: (error) => toasts.failed(problemText(error)),
    });
  return (
    <Button disabled={isOff} isBusy={saving.isPending} onClick={save}>
      Save draft
    </Button>
  );
}

function ReadersNote() {
  return (
    <p className="muted">Your role may try drafts. An owner, admin or developer saves and publishes them.</p>
  );
}
