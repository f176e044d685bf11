import { useState } from "react";
import { EVENT_FORMATS, EVENT_TYPES, type EventType } from "../../../domain/vocabulary/event-types.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { issueAt } from "../../api/transport/problem.js";
import type { EventEndpoint, NewEventEndpoint } from "../../api/wire-types.js";
import { Checks } from "../../design/forms/checks.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { SelectField } from "../../design/forms/select-field.js";
import { textOf } from "../../shell/entrance-form.js";

/** EVT-3: one sentence for each type. */
const TYPE_HINTS = {
  "alert.opened": "Something needs a person: a provider, or this workspace's own outcomes",
  "alert.closed": "It is over",
  "decision.held": "A payment waits for a review",
  "decision.reviewed": "Somebody approved or rejected it",
  "policy.published": "A policy is in force",
  "experiment.changed": "Not sent yet",
  "export.ready": "Not sent yet",
  "key.created": "An API key was made",
  "key.revoked": "An API key ended",
} as const satisfies Record<EventType, string>;
const TYPE_OPTIONS = EVENT_TYPES.map((value) => ({ value, label: value, hint: TYPE_HINTS[value] }));

const FORMAT_LABELS = { standard: "Standard Webhooks", slack: "Slack" } as const;
const FORMAT_OPTIONS = EVENT_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }));
const FORMAT_HINTS = {
  standard: "JSON with a signature that your receiver checks.",
  slack: "One line of text, for an incoming webhook of Slack.",
} as const;

interface EndpointFormProps {
  submitLabel: string;
  /** The endpoint to edit. Undefined for a new one. */
  endpoint?: EventEndpoint;
  isBusy: boolean;
  error: Error | null;
  onSubmit(fields: NewEventEndpoint): void;
  onCancel(): void;
}

/** EVT-2: the fields of an endpoint. */
export function EndpointForm({
  submitLabel,
  endpoint,
  isBusy,
  error,
  onSubmit,
  onCancel,
}: EndpointFormProps) {
  const [types, setTypes] = useState<readonly EventType[]>(
    endpoint?.types ?? ["decision.held", "alert.opened", "alert.closed"],
  );
  const [format, setFormat] = useState(endpoint?.format ?? "standard");
  return (
    <Form
      submitLabel={submitLabel}
      isBusy={isBusy}
      error={error}
      isDisabled={types.length === 0}
      onCancel={onCancel}
      onSubmit={(values) => {
        const description = textOf(values, "description").trim();
        onSubmit({
          url: textOf(values, "url").trim(),
          types: [...types],
          format,
          ...(description === "" && endpoint === undefined ? {} : { description }),
        });
      }}
    >
      <Field
        label="Address"
        name="url"
        type="url"
        defaultValue={endpoint?.url}
        placeholder="https://"
        hint="A public https address."
        autoComplete="off"
        spellCheck={false}
        maxLength={LIMITS.eventUrlCharsMax}
        error={issueAt(error, "url")}
        autoFocus
        required
      />
      <Field
        label="Description"
        name="description"
        defaultValue={endpoint?.description ?? ""}
        hint="Optional: who listens there."
        autoComplete="off"
        maxLength={LIMITS.eventDescriptionCharsMax}
        error={issueAt(error, "description")}
      />
      <SelectField
        label="Format"
        value={format}
        options={FORMAT_OPTIONS}
        onChange={setFormat}
        hint={FORMAT_HINTS[format]}
      />
      <Checks
        label="Listens to"
        name="types"
        options={TYPE_OPTIONS}
        checked={types}
        onChange={setTypes}
        error={types.length === 0 ? "Choose at least one." : issueAt(error, "types")}
      />
    </Form>
  );
}
