import type { AuditEntry } from "../../api/wire-types.js";
import { useActorNames } from "../../session/actor-names.js";
import { AuditEntryRow } from "./audit-entry-row.js";
import "./audit-log.css";

interface AuditListProps {
  entries: readonly AuditEntry[];
  /** True while the entries are those of the previous page or filter. */
  isBusy: boolean;
  /** The resource that the entries are filtered by. */
  resource?: string | null;
  /** Shows all entries of a resource. If absent, there is no button. */
  onResource?(resource: string): void;
}

/** Lists audit entries as sentences that begin with the name of the actor. */
export function AuditList({ entries, isBusy, resource = null, onResource }: AuditListProps) {
  const { nameOf } = useActorNames();
  return (
    <ol className="audit-list" aria-busy={isBusy}>
      {entries.map((entry) => (
        <AuditEntryRow
          key={entry.audit_id}
          entry={entry}
          actor={nameOf(entry.actor)}
          onResource={
            onResource === undefined || entry.resource === resource ? null : () => onResource(entry.resource)
          }
        />
      ))}
    </ol>
  );
}
