import { createContext, use, type ReactNode } from "react";
import type { PolicyIssue } from "../../../../client/wire-types.js";

const IssuesContext = createContext<readonly PolicyIssue[]>([]);

/** Provides the service's issues to the fields that they are about. */
export function IssuesProvider({
  issues,
  children,
}: {
  issues: readonly PolicyIssue[];
  children: ReactNode;
}) {
  return <IssuesContext value={issues}>{children}</IssuesContext>;
}

/** Returns the issues of a field and, with `isDeep`, of everything in it. `path` is dotted and begins at the policy. */
export function useIssues(path: string, isDeep = false): readonly PolicyIssue[] {
  return use(IssuesContext).filter(
    (issue) => issue.path === path || (isDeep && issue.path.startsWith(`${path}.`)),
  );
}

/** Shows the issues of a field below it. */
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
