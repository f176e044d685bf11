import { useState } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { DecisionMode } from "../../../domain/vocabulary/vocabulary.js";
import { issueAt } from "../../api/transport/problem.js";
import { useUpdateWorkspace } from "../../api/workspace.js";
import type { Workspace, WorkspaceChanges } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { Checks } from "../../design/forms/checks.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { SelectField } from "../../design/forms/select-field.js";
import { useToasts } from "../../design/feedback/toast.js";
import "./settings.css";

const DEPLOYMENT_DEFAULT = "";
const MODES = [
  { value: DEPLOYMENT_DEFAULT, label: "Not set: enforce" },
  { value: "enforce", label: "Enforce" },
  { value: "shadow", label: "Shadow" },
] as const;

const SIGN_IN = [
  {
    value: "codes",
    label: "Require one-time codes",
    hint: "A member without them may only turn them on, also in a session that has begun. API keys are not touched.",
  },
] as const;

interface WorkspaceFormProps {
  workspace: Workspace;
  mayChange: boolean;
}

/** Edits the settings that the workspace's decisions use. Only changed fields are sent. */
export function WorkspaceForm({ workspace, mayChange }: WorkspaceFormProps) {
  const update = useUpdateWorkspace();
  const toasts = useToasts();
  const [name, setName] = useState(workspace.name);
  const [mode, setMode] = useState<DecisionMode | "">(workspace.default_decision_mode ?? DEPLOYMENT_DEFAULT);
  const [threshold, setThreshold] = useState(String(ownThreshold(workspace) ?? ""));
  const [limit, setLimit] = useState(String(ownDays(workspace) ?? ""));
  const [requiresCodes, setRequiresCodes] = useState(workspace.require_one_time_codes);
  const changes = changesOf(workspace, { name, mode, threshold, limit, requiresCodes });
  return (
    <Form
      submitLabel="Save the changes"
      isBusy={update.isPending}
      error={update.error}
      isDisabled={!mayChange || Object.keys(changes).length === 0}
      onSubmit={() => update.mutate(changes, { onSuccess: () => toasts.done("The settings are saved") })}
    >
      <p className="workspace-facts">
        <Copyable text={workspace.id} label="workspace id" />
        <span>
          created <Age at={workspace.created_at} />
        </span>
      </p>
      <Field
        label="Name"
        value={name}
        maxLength={LIMITS.nameCharsMax}
        disabled={!mayChange}
        error={issueAt(update.error, "name")}
        onChange={(event) => setName(event.target.value)}
        required
      />
      <div className="form-pair">
        <SelectField
          label="Default decision mode"
          value={mode}
          options={MODES}
          onChange={setMode}
          hint="For requests that name none. Shadow decisions are advice: your backend keeps its own logic."
          isDisabled={!mayChange}
          error={issueAt(update.error, "default_decision_mode")}
        />
        <Field
          label="Risk block threshold"
          type="number"
          min={0}
          max={100}
          step={1}
          inputMode="numeric"
          placeholder={
            ownThreshold(workspace) === null ? `${workspace.risk_block_threshold}` : "Deployment's own"
          }
          value={threshold}
          disabled={!mayChange}
          hint={`A transaction.risk_score above it is blocked. ${inForce(workspace)}`}
          error={issueAt(update.error, "risk_block_threshold")}
          onChange={(event) => setThreshold(event.target.value)}
        />
      </div>
      <Field
        label="Days that decisions are kept"
        type="number"
        min={1}
        max={LIMITS.retentionDaysMax}
        step={1}
        inputMode="numeric"
        placeholder={keptFor(workspace)}
        value={limit}
        disabled={!mayChange}
        hint={keptHint(workspace, limit)}
        error={issueAt(update.error, "retention_days")}
        onChange={(event) => setLimit(event.target.value)}
      />
      <SignInChecks requiresCodes={requiresCodes} onChange={setRequiresCodes} isDisabled={!mayChange} />
    </Form>
  );
}

interface SignInChecksProps {
  requiresCodes: boolean;
  onChange(requiresCodes: boolean): void;
  isDisabled: boolean;
}

/** DASH-33 */
function SignInChecks({ requiresCodes, onChange, isDisabled }: SignInChecksProps) {
  return (
    <Checks
      label="Sign-in"
      name="sign_in"
      options={SIGN_IN}
      checked={requiresCodes ? ["codes"] : []}
      onChange={(checked) => onChange(checked.length > 0)}
      isDisabled={isDisabled}
    />
  );
}

/** Returns the workspace's own threshold, or null if the deployment's applies. */
function ownThreshold(workspace: Workspace): number | null {
  return workspace.risk_block_threshold_source === "workspace" ? workspace.risk_block_threshold : null;
}

/** ADM-2: shows the effective threshold, and whether it comes from the deployment. */
function inForce(workspace: Workspace): string {
  const { risk_block_threshold: threshold } = workspace;
  return ownThreshold(workspace) === null
    ? `In force: ${threshold}, the deployment's own.`
    : `In force: ${threshold}. Leave it empty for the deployment's own.`;
}

/** DASH-43: returns the workspace's own limit, or null if the deployment's applies. */
function ownDays(workspace: Workspace): number | null {
  return workspace.retention_days_source === "workspace" ? workspace.retention_days : null;
}

function keptFor({ retention_days: days }: Workspace): string {
  return days === null ? "For ever" : `${days}`;
}

function keptHint(workspace: Workspace, typed: string): string {
  const inForceDays = workspace.retention_days;
  const isShorter = typed !== "" && Number(typed) < (inForceDays ?? Number.POSITIVE_INFINITY);
  if (isShorter) return "Older decisions are hidden at once, and cannot be brought back once they have left.";
  const inForce = inForceDays === null ? "All are kept" : `In force: ${inForceDays}`;
  return ownDays(workspace) === null
    ? `${inForce}, the deployment's own. Totals stay.`
    : `${inForce}. Leave it empty for the deployment's own. Totals stay.`;
}

interface Typed {
  name: string;
  mode: DecisionMode | "";
  threshold: string;
  limit: string;
  requiresCodes: boolean;
}

function changesOf(workspace: Workspace, typed: Typed): WorkspaceChanges {
  const { name, mode, threshold, limit, requiresCodes } = typed;
  const defaultMode = mode === DEPLOYMENT_DEFAULT ? null : mode;
  const riskThreshold = threshold === "" ? null : Number(threshold);
  const keptDays = limit === "" ? null : Number(limit);
  return {
    ...(name === workspace.name ? {} : { name }),
    ...(defaultMode === workspace.default_decision_mode ? {} : { default_decision_mode: defaultMode }),
    ...(riskThreshold === ownThreshold(workspace) ? {} : { risk_block_threshold: riskThreshold }),
    ...(keptDays === ownDays(workspace) ? {} : { retention_days: keptDays }),
    ...(requiresCodes === workspace.require_one_time_codes ? {} : { require_one_time_codes: requiresCodes }),
  };
}
