import { issueAt } from "../../../api/transport/problem.js";
import { Chips } from "../../../design/forms/chips.js";
import { SelectField } from "../../../design/forms/select-field.js";
import { Field } from "../../../design/forms/field.js";
import { formatName } from "../../../design/base/format.js";
import { parseAmount } from "../../../design/base/money.js";
import { asItIs, useProviders } from "../rules/providers.js";
import {
  previousFields,
  SAMPLE_HEAD,
  SAMPLE_SECTIONS,
  sampleCurrency,
  type Sample,
  type SampleField,
} from "./sample.js";

interface SampleFormProps {
  sample: Sample;
  /** The service's error about the sample. */
  error: unknown;
  onChange(sample: Sample): void;
}

/** A form for a made-up payment. */
export function SampleForm({ sample, error, onChange }: SampleFormProps) {
  const providers = useProviders();
  const set = (path: string, text: string): void =>
    onChange({ ...sample, texts: { ...sample.texts, [path]: text } });
  const fieldsOf = (fields: readonly SampleField[]) =>
    fields.map((field) => (
      <SampleInput
        key={field.path}
        field={field}
        sample={sample}
        error={issueAt(error, field.path)}
        onChange={(text) => set(field.path, text)}
      />
    ));
  const sections = [...SAMPLE_SECTIONS, { title: "Previous attempt", fields: previousFields(providers) }];
  return (
    <div className="sample">
      <div className="sample-fields">{fieldsOf(SAMPLE_HEAD)}</div>
      <div className="field">
        <span className="field-label" aria-hidden="true">
          Offered providers
        </span>
        <Chips
          label="Offered providers"
          options={providers}
          chosen={sample.providers}
          textOf={asItIs}
          onChange={(chosen) => onChange({ ...sample, providers: chosen })}
        />
        <SampleError text={issueAt(error, "available_providers")} />
      </div>
      {sections.map(({ title, fields }) => (
        <details key={title} className="sample-more">
          <summary>
            {title} <Filled fields={fields} sample={sample} />
          </summary>
          <div className="sample-fields">{fieldsOf(fields)}</div>
        </details>
      ))}
    </div>
  );
}

function Filled({ fields, sample }: { fields: readonly SampleField[]; sample: Sample }) {
  const count = fields.filter(({ path }) => (sample.texts[path] ?? "") !== "").length;
  return count === 0 ? null : <span className="muted">{count} given</span>;
}

function SampleError({ text }: { text: string | undefined }) {
  return text === undefined ? null : <p className="field-error">{text}</p>;
}

interface SampleInputProps {
  field: SampleField;
  sample: Sample;
  error: string | undefined;
  onChange(text: string): void;
}

function SampleInput({ field, sample, error, onChange }: SampleInputProps) {
  const { path, name, kind, values, isRequired } = field;
  const value = sample.texts[path] ?? "";
  const label = formatName(name);
  if (values !== undefined) {
    const options = values.map((option) => ({ value: option, label: formatName(option) }));
    return (
      <div>
        <SelectField
          label={label}
          value={value}
          options={isRequired === true ? options : [{ value: "", label: "Not given" }, ...options]}
          onChange={onChange}
        />
        <SampleError text={error} />
      </div>
    );
  }
  const note = kind === "money" ? amountNote(value, sampleCurrency(sample.texts)) : undefined;
  return (
    <Field
      label={label}
      value={value}
      autoComplete="off"
      spellCheck={false}
      placeholder={isRequired === true ? "" : "Not given"}
      error={note?.error ?? error}
      {...(kind === "number" ? { inputMode: "numeric" as const } : {})}
      {...(kind === "code" ? { maxLength: 3 } : {})}
      {...(kind === "money" ? { inputMode: "decimal" as const } : {})}
      {...(note === undefined ? {} : { hint: note.hint })}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** DASH-30: returns the currency of a typed amount, or the error in the amount. */
function amountNote(text: string, currency: string | null): { hint: string; error?: string } {
  if (currency === null) return { hint: "Minor units" };
  const amount = parseAmount(text, currency);
  return { hint: currency, ...(amount.ok || text === "" ? {} : { error: amount.error }) };
}
