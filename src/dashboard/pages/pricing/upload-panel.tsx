import { useRef, useState } from "react";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { StoredContract } from "../../api/wire-types.js";
import { useUploadPricing } from "../../api/pricing.js";
import { issueAt, ProblemError, problemText } from "../../api/transport/problem.js";
import { Button } from "../../design/forms/button.js";
import { Field } from "../../design/forms/field.js";
import { formatCount } from "../../design/base/format.js";
import { chosenZone, fieldZone } from "../../design/base/zone.js";
import { fieldIn } from "../../design/base/zone-time.js";
import { Panel } from "../../design/layout/panel.js";
import { Switch } from "../../design/forms/switch.js";
import { TextArea } from "../../design/forms/text-area.js";
import { useToasts } from "../../design/feedback/toast.js";
import { useHasRole } from "../../session/session.js";
import { parseContractText, RULE_COLUMNS } from "./contract-text.js";
import { RulesTable } from "./rules-table.js";
import { countError, rowsOf, toUpload, type ContractHead } from "./upload.js";
import { UploadResult } from "./upload-result.js";

const EXAMPLE = `${RULE_COLUMNS.join(",")}
provider_1,card,visa,NG,NGN,150,10000,,200000,
provider_2,card,,,USD,290,30,,,100000:250:30`;

/** Uploads a contract. Its rules come from a text, and are shown before they are stored. */
export function UploadPanel({ merchantId }: { merchantId: string }) {
  const mayUpload = useHasRole(["owner", "admin", "developer"]);
  const [text, setText] = useState("");
  const [head, setHead] = useState<ContractHead>(firstHead);
  const [stored, setStored] = useState<StoredContract | null>(null);
  const upload = useUploadPricing();
  const toasts = useToasts();
  const parsed = text.trim() === "" ? null : parseContractText(text);
  const { error } = upload;
  const changeText = (next: string): void => {
    setText(next);
    setStored(null);
    upload.reset();
    const read = parseContractText(next);
    if (read.ok) setHead((before) => withContract(before, read.contract));
  };
  const changeHead = (changes: Partial<ContractHead>): void => setHead({ ...head, ...changes });
  const send = (): void => {
    if (parsed?.ok !== true) return;
    upload.mutate(toUpload(merchantId, head, parsed.rules, chosenZone()), {
      onSuccess(answer) {
        setStored(answer);
        setText("");
        setHead(firstHead());
        toasts.done(`Stored ${formatCount(answer.rules_stored)} prices`);
      },
    });
  };
  const found = parsed?.ok === true ? rowsOf(parsed, issuesOf(error)) : null;
  const tooMany = parsed?.ok === true ? countError(parsed.rules.length) : null;
  const canSend =
    mayUpload &&
    parsed?.ok === true &&
    parsed.issues.length === 0 &&
    tooMany === null &&
    head.name !== "" &&
    head.from !== "";
  return (
    <Panel title="Upload a contract" note="JSON or CSV">
      <div className="upload">
        {stored === null ? null : <UploadResult contract={stored} onClose={() => setStored(null)} />}
        <div className="upload-head">
          <Field
            label="Contract name"
            value={head.name}
            maxLength={LIMITS.contractNameCharsMax}
            autoComplete="off"
            error={issueAt(error, "contract_name")}
            onChange={(event) => changeHead({ name: event.target.value })}
          />
          <Field
            label="Effective from"
            type="datetime-local"
            hint={fieldZone(head.from)}
            value={head.from}
            error={issueAt(error, "effective_from")}
            onChange={(event) => changeHead({ from: event.target.value })}
          />
          <Field
            label="Effective to"
            type="datetime-local"
            hint={`${fieldZone(head.to)}; empty for no end`}
            value={head.to}
            error={issueAt(error, "effective_to")}
            onChange={(event) => changeHead({ to: event.target.value })}
          />
        </div>
        <Switch isOn={head.replace} onChange={(replace) => changeHead({ replace })}>
          Replace: from then on every contract uploaded before is at an end
        </Switch>
        <FileChoice onText={changeText} />
        <TextArea
          label="Prices"
          isCode
          rows={6}
          value={text}
          placeholder={EXAMPLE}
          error={parsed?.ok === false ? parsed.message : (tooMany ?? undefined)}
          hint="CSV with a first line of column names, a JSON list of rules, or a whole request body. Amounts in minor units."
          onChange={changeText}
        />
        {parsed?.ok !== true || found === null ? null : (
          <section className="upload-preview" aria-label="Preview">
            <p>
              <strong>{formatCount(parsed.rules.length)}</strong>{" "}
              {parsed.rules.length === 1 ? "price" : "prices"} read from {parsed.format.toUpperCase()}
              {found.rows.some(({ issues }) => issues.length > 0) ? "; those with issues come first" : null}
            </p>
            <RulesTable place="preview_page" caption="Preview" rows={found.rows} hasIssues />
            {found.others.map(({ path, message }) => (
              <p key={path + message} className="field-error" role="alert">
                {path === "" ? "" : `${path}: `}
                {message}
              </p>
            ))}
          </section>
        )}
        <div className="upload-actions">
          {error === null ? null : (
            <p className="field-error" role="alert">
              {refusalText(error)}
            </p>
          )}
          {mayUpload ? null : <p className="muted">An owner, admin or developer uploads contracts.</p>}
          <Button kind="primary" disabled={!canSend} isBusy={upload.isPending} onClick={send}>
            Store the contract
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function firstHead(): ContractHead {
  return { name: "", from: fieldIn(Date.now(), chosenZone()), to: "", replace: false };
}

/** Values in the contract's text replace those of the form's inputs. */
function withContract(
  head: ContractHead,
  { name, from, to, replace }: { name?: string; from?: string; to?: string; replace?: boolean },
): ContractHead {
  return {
    name: name ?? head.name,
    from: fieldOf(from) ?? head.from,
    to: fieldOf(to) ?? head.to,
    replace: replace ?? head.replace,
  };
}

function fieldOf(timestamp: string | undefined): string | undefined {
  const atMs = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(atMs) ? undefined : fieldIn(atMs, chosenZone());
}

function issuesOf(error: Error | null) {
  if (!(error instanceof ProblemError) || error.problem.kind !== "validation_error") return [];
  const fields = new Set(["contract_name", "effective_from", "effective_to"]);
  return error.problem.issues
    .filter(({ path }) => !fields.has(path))
    .map((issue) => ({ ...issue, severity: "error" as const }));
}

function refusalText(error: Error): string {
  const isInvalid = error instanceof ProblemError && error.problem.kind === "validation_error";
  return isInvalid ? "The service refused the contract: see what it says above." : problemText(error);
}

function FileChoice({ onText }: { onText(text: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  const toasts = useToasts();
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > LIMITS.largeBodyBytesMax) {
      toasts.failed("The file is larger than 1 MiB, which is all the service takes.");
      return;
    }
    onText(await file.text());
  };
  return (
    <div className="row">
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        accept=".json,.csv,application/json,text/csv"
        aria-label="Contract file"
        tabIndex={-1}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          // Clearing the value lets the same file be chosen again after it was corrected.
          event.target.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>Choose a file…</Button>
      <span className="muted">or paste its text below</span>
    </div>
  );
}
