import type { PolicyIssue } from "../../../../client/wire-types.js";
import { readProblemText } from "../../../api/transport/problem.js";
import { Badge } from "../../../design/base/badge.js";
import { Button } from "../../../design/forms/button.js";
import type { Draft } from "../draft/draft.js";
import type { Lint } from "./use-lint.js";
import { Foreign } from "../../../design/base/foreign.js";

/** Shows the service's findings about the whole draft while it is edited. */
export function LintStatus({ lint }: { lint: Lint }) {
  if (lint.kind === "failed") {
    return (
      <span className="row" role="status">
        <Badge tone="neutral">Not checked</Badge>
        <span className="muted">{readProblemText(lint.error)}</span>
        <Button size="small" onClick={lint.retry}>
          Try again
        </Button>
      </span>
    );
  }
  const errors = lint.issues.filter(({ severity }) => severity === "error").length;
  const warnings = lint.issues.length - errors;
  return (
    <span className="row" role="status" aria-busy={lint.kind === "checking"}>
      {errors > 0 ? (
        <Badge tone="critical">{countOf(errors, "error")}</Badge>
      ) : warnings > 0 ? (
        <Badge tone="watch">{countOf(warnings, "warning")}</Badge>
      ) : (
        <Badge tone="good">Valid</Badge>
      )}
      <span className="muted lint-state">{lint.kind === "checking" ? "checking…" : "checked"}</span>
    </span>
  );
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Lists all issues. Each one names its place in words. */
export function IssueList({ issues, draft }: { issues: readonly PolicyIssue[]; draft: Draft }) {
  if (issues.length === 0) return null;
  return (
    <ul className="issue-list" aria-label="Issues of the draft">
      {issues.map((issue) => (
        <li key={`${issue.path} ${issue.message}`} className={`issue-note issue-${issue.severity}`}>
          <span className="issue-place">
            <Place path={issue.path} draft={draft} />
          </span>{" "}
          {issue.message}
        </li>
      ))}
    </ul>
  );
}

function Place({ path, draft }: { path: string; draft: Draft }) {
  const [, index, rest] = /^rules\.(\d+)\.?(.*)$/.exec(path) ?? [];
  if (index === undefined) return path === "" ? "Policy:" : `${path}:`;
  const name = draft.rules[Number(index)]?.name;
  return (
    <>
      Rule {Number(index) + 1}
      {name === undefined || name === "" ? null : (
        <>
          {" "}
          “<Foreign text={name} />”
        </>
      )}
      {rest === undefined || rest === "" ? ":" : `, ${rest}:`}
    </>
  );
}
