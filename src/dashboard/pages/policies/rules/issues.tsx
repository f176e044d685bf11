import { createContext, use, type ReactNode } from "react";
import type { PolicyIssue } from "../../../../client/wire-types.js";

const IssuesContext = createContext<readonly PolicyIssue[]>([]);

/** What the service says of the draft, for the fields it says it of. */
export function IssuesProvider({
  issues,
  children,
}: {
  issues: readonly PolicyIssue[];
  children: ReactNode;
}) {
  return <IssuesContext value={issues}>{children}</IssuesContext>;
}

/** Of the field itself and, with `isDeep`, of what is in it. `path` is dotted, from the policy. */
export function useIssues(path: string, isDeep = false): readonly PolicyIssue[] {
  return use(IssuesContext).filter(
    (issue) => issue.path === path || (isDeep && issue.path.startsWith(`${path}.`)),
  );
}

/** The issues of a place, below it. */
export function IssueNotes({ path, isDeep = false }: { path: string; isDeep?: boolean }) {
  const issues = useIssues(path, isDeep);
  if (issues.length === 0) return null;
  return (
    <ul className="issue-notes">
      {issues.map(({ path, severity, message }) => (
        <li key={`${path} ${message}`} className={`issue-note issue-${severity}`}>
          {message}
        </li>
      ))}
    </ul>
  );
}
