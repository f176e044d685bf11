import { Badge } from "../../../design/base/badge.js";
import { formatName } from "../../../design/base/format.js";
import type { FieldChange, PolicyDiff, RuleChange } from "./policy-diff.js";
import { Foreign } from "../../../design/base/foreign.js";

interface PolicyDiffViewProps {
  diff: PolicyDiff;
  /** The text when nothing differs. */
  none: string;
}

/** Shows the differences between two policies, rule by rule. */
export function PolicyDiffView({ diff, none }: PolicyDiffViewProps) {
  const { defaultProvider, rules, unchangedRules } = diff;
  if (defaultProvider === null && rules.length === 0) return <p className="muted">{none}</p>;
  return (
    <div className="diff">
      <ul className="diff-list">
        {defaultProvider === null ? null : (
          <li className="diff-item">
            <p className="diff-head">
              <Badge tone="watch">Changed</Badge> Default provider
            </p>
            <Change before={defaultProvider.before ?? "none"} after={defaultProvider.after ?? "none"} />
          </li>
        )}
        {rules.map((change) => (
          <RuleDiff key={`${change.kind} ${change.key}`} change={change} />
        ))}
      </ul>
      <p className="muted">
        {unchangedRules === 1 ? "1 rule stays as it is." : `${unchangedRules} rules stay as they are.`}
      </p>
    </div>
  );
}

const TONES = { added: "good", removed: "critical", changed: "watch" } as const;

function RuleDiff({ change }: { change: RuleChange }) {
  return (
    <li className="diff-item">
      <p className="diff-head">
        <Badge tone={TONES[change.kind]}>{formatName(change.kind)}</Badge> <Foreign text={change.name} />
      </p>
      {change.kind === "changed" ? (
        change.changes.map((field) => <FieldDiff key={field.field} change={field} />)
      ) : (
        <p className={change.kind === "removed" ? "diff-whole diff-removed" : "diff-whole diff-added"}>
          When <Foreign text={change.when} /> → <Foreign text={change.then} />
        </p>
      )}
    </li>
  );
}

function FieldDiff({ change }: { change: FieldChange }) {
  return (
    <div className="diff-field">
      <span className="muted">{formatName(change.field)}</span>
      <Change before={change.before} after={change.after} />
    </div>
  );
}

function Change({ before, after }: { before: string; after: string }) {
  return (
    <p className="diff-change">
      <del className="diff-removed">
        <Foreign text={before} />
      </del>
      <ins className="diff-added">
        <Foreign text={after} />
      </ins>
    </p>
  );
}
