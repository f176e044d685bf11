import { useState } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { ViewedPage } from "../../../domain/vocabulary/vocabulary.js";
import { useChangeView, useDeleteView, useSavedViews, useSaveView } from "../../api/account/saved-views.js";
import { issueAt, problemText } from "../../api/transport/problem.js";
import type { SavedView } from "../../api/wire-types.js";
import { Badge } from "../../design/base/badge.js";
import { Foreign } from "../../design/base/foreign.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Button } from "../../design/forms/button.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { Switch } from "../../design/forms/switch.js";
import { useAccount, useHasRole } from "../../session/session.js";
import { useAddress, withoutPlaces } from "../address.js";
import { textOf } from "../entrance-form.js";
import { PlaceLink } from "../mode.js";
import "./saved-views.css";

const HEIGHT_PX = 60;

/** DASH-38: lists the saved views of a page, and marks the one that is shown. */
export function SavedViews({ page }: { page: ViewedPage }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Saved views</Button>
      {isOpen ? <ViewsDialog page={page} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ViewsDialog({ page, onClose }: { page: ViewedPage; onClose(): void }) {
  const views = useSavedViews(page);
  return (
    <Dialog title="Saved views" onClose={onClose}>
      <Loaded query={views} heightPx={HEIGHT_PX}>
        {({ saved_views }) =>
          saved_views.length === 0 ? (
            <p className="muted">None yet. Save the filters of this page by a name.</p>
          ) : (
            <ul className="saved-views">
              {saved_views.map((view) => (
                <ViewRow key={view.id} view={view} onFollow={onClose} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <SaveForm page={page} />
    </Dialog>
  );
}

function ViewRow({ view, onFollow }: { view: SavedView; onFollow(): void }) {
  const { id, name, page, query, is_shared: isShared, owner } = view;
  const { user } = useAccount();
  const toasts = useToasts();
  const change = useChangeView();
  const remove = useDeleteView();
  const isOwn = owner === user.user_id;
  const isLeader = useHasRole(["owner", "admin"]);
  const onError = (error: Error): void => toasts.failed(problemText(error));
  return (
    <li className="saved-view">
      <span className="saved-view-name">
        <PlaceLink to={`/${page}?${query}`} onClick={onFollow}>
          <Foreign text={name} />
        </PlaceLink>{" "}
        {isOwn ? null : <Badge tone="neutral">shared by a colleague</Badge>}
      </span>
      {isOwn || isLeader ? (
        <span className="saved-view-acts">
          <Switch
            label={`Share ${name} with the workspace`}
            isOn={isShared}
            isDisabled={change.isPending}
            onChange={(is_shared) => change.mutate({ id, is_shared }, { onError })}
          >
            Shared
          </Switch>
          <Button
            size="small"
            aria-label={`Delete ${name}`}
            isBusy={remove.isPending}
            onClick={() => remove.mutate(id, { onError })}
          >
            Delete
          </Button>
        </span>
      ) : null}
    </li>
  );
}

function SaveForm({ page }: { page: ViewedPage }) {
  const address = useAddress();
  const save = useSaveView();
  const toasts = useToasts();
  const [isShared, setShared] = useState(false);
  const [count, setCount] = useState(0);
  const query = (): string => {
    const parameters = new URLSearchParams(address.parameters);
    // A view has neither the mode, which the reader chooses, nor an open decision, which is not a filter.
    for (const name of ["mode", "open", ...Object.keys(withoutPlaces(address))]) parameters.delete(name);
    return parameters.toString();
  };
  return (
    <Form
      key={count}
      submitLabel="Save this view"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(values) =>
        save.mutate(
          { name: textOf(values, "name"), page, query: query(), is_shared: isShared },
          {
            onSuccess() {
              toasts.done("The view is saved");
              setCount(count + 1);
            },
          },
        )
      }
    >
      <Field
        label="Name of the view"
        name="name"
        autoComplete="off"
        maxLength={LIMITS.nameCharsMax}
        error={issueAt(save.error, "name")}
        required
      />
      <Switch isOn={isShared} onChange={setShared}>
        Share it with the workspace
      </Switch>
    </Form>
  );
}
