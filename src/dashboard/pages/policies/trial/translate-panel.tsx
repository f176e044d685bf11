import { useState } from "react";
import type { RuleDraft, Translation } from "../../../../client/wire-types.js";
import { useTranslation } from "../../../api/policies.js";
import { problemText } from "../../../api/transport/problem.js";
import { Button } from "../../../design/forms/button.js";
import { TextArea } from "../../../design/forms/text-area.js";
import { addRules, ruleEdit, type Draft } from "../draft/draft.js";
import { thenWords, whenWords } from "../rules/words.js";

const EXAMPLE = `Block payments over 5000 USD from guests.
Prefer provider_1 for visa cards in NG.
Don't retry on insufficient_funds or do_not_honor.`;

interface TranslatePanelProps {
  merchantId: string;
  draft: Draft;
  mayWrite: boolean;
  onDraft(draft: Draft): void;
}

/**
 * Translates plain English into rules, which can be added to the draft. It lists the sentences that it did not
 * understand.
 */
export function TranslatePanel({ merchantId, draft, mayWrite, onDraft }: TranslatePanelProps) {
  const [text, setText] = useState("");
  const translation = useTranslation();
  const [added, setAdded] = useState<Translation | null>(null);
  const { data, error } = translation;
  const append = (translated: Translation): void => {
    onDraft(withTranslation(draft, translated));
    setAdded(translated);
  };
  return (
    <div className="translate">
      <TextArea
        label="Rules in plain English"
        rows={6}
        value={text}
        placeholder={EXAMPLE}
        hint="A sentence makes a rule or several. Amounts are in major units and need a currency: 5000 USD, or $5,000 for the same."
        onChange={setText}
      />
      <div className="row">
        <Button
          disabled={!mayWrite || text.trim() === ""}
          isBusy={translation.isPending}
          onClick={() => translation.mutate({ merchant_id: merchantId, text })}
        >
          Translate
        </Button>
        {mayWrite ? null : (
          <span className="muted">An owner, admin or developer can have rules translated.</span>
        )}
      </div>
      {error === null ? null : (
        <p className="field-error" role="alert">
          {problemText(error)}
        </p>
      )}
      {data === undefined ? null : (
        <section aria-label="Translation" className="translation" aria-live="polite">
          <Understood translation={data} />
          {data.draft === null ? null : (
            <Button kind="primary" disabled={data === added} onClick={() => append(data)}>
              {data === added ? "Added to the draft" : "Add to the draft"}
            </Button>
          )}
          {data.warnings.length === 0 ? null : (
            <div>
              <h3>Not understood</h3>
              <ul className="issue-list">
                {data.warnings.map(({ sentence_index, message }) => (
                  <li key={`${sentence_index} ${message}`} className="issue-note issue-warning">
                    <span className="issue-place">Sentence {sentence_index + 1}:</span> {message}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </section>
      )}
    </div>
  );
}

function Understood({ translation: { draft } }: { translation: Translation }) {
  if (draft === null) return <p className="muted">No sentence was understood.</p>;
  return (
    <div>
      <h3>Understood</h3>
      <ul className="understood">
        {draft.rules.map((rule, index) => {
          const { key, when, then, name } = ruleEdit(rule, `sentence-${index}`);
          return (
            <li key={key}>
              <strong>{name}</strong>
              <span>
                <span className="muted">When</span> {whenWords(when)} <span className="muted">→</span>{" "}
                {thenWords({ when, then })}
              </span>
            </li>
          );
        })}
        {draft.default_provider === null ? null : (
          <li>
            <strong>Default provider</strong> {draft.default_provider}
          </li>
        )}
      </ul>
    </div>
  );
}

/** Adds the translated rules after the existing ones. They get new ids, because the same text may be added twice. */
function withTranslation(draft: Draft, { draft: translated }: Translation): Draft {
  if (translated === null) return draft;
  const rules = translated.rules.map(({ rule_id: _id, priority: _priority, ...rule }: RuleDraft) =>
    ruleEdit(rule),
  );
  return {
    ...draft,
    name: draft.name === "" ? (translated.name ?? "") : draft.name,
    defaultProvider: translated.default_provider ?? draft.defaultProvider,
    rules: addRules(draft.rules, rules),
  };
}
