import { LIMITS } from "../../../../domain/vocabulary/limits.js";
import { Button } from "../../../design/forms/button.js";
import { SelectField } from "../../../design/forms/select-field.js";
import { Field } from "../../../design/forms/field.js";
import { IssueNotes } from "../rules/issues.js";
import { useProviders } from "../rules/providers.js";
import { RuleList } from "../rules/rule-list.js";
import type { Editing } from "../draft/use-editing.js";

/** Shows the draft as a form. If the JSON is not valid, it shows only a button that restores the last valid draft. */
export function DraftForm({ editing }: { editing: Editing }) {
  const { draft, problem, change, discardText } = editing;
  const providers = useProviders();
  if (problem !== null) {
    return (
      <div className="note tone-critical" role="alert">
        <p>{problem.message} The form shows the draft again once its JSON is mended.</p>
        <Button size="small" onClick={discardText}>
          Go back to the last valid text
        </Button>
      </div>
    );
  }
  const { name, defaultProvider } = draft;
  const ids = [...new Set([...providers, ...(defaultProvider === null ? [] : [defaultProvider])])];
  return (
    <div className="draft-form">
      <div className="draft-fields">
        <div>
          <Field
            label="Policy name"
            value={name}
            maxLength={LIMITS.policyNameCharsMax}
            autoComplete="off"
            placeholder="What this version is for"
            onChange={(event) => change({ ...draft, name: event.target.value })}
          />
          <IssueNotes path="name" />
        </div>
        <div>
          <SelectField
            label="Default provider"
            value={defaultProvider ?? ""}
            options={[{ value: "", label: "None" }, ...ids.map((id) => ({ value: id, label: id }))]}
            onChange={(id) => change({ ...draft, defaultProvider: id === "" ? null : id })}
          />
          <IssueNotes path="default_provider" />
        </div>
      </div>
      <RuleList rules={draft.rules} onChange={(rules) => change({ ...draft, rules })} />
    </div>
  );
}
