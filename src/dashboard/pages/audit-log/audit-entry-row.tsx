import type { AuditEntry } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { formatName } from "../../design/base/format.js";
import { wordingOf } from "./audit-wording.js";
import { Foreign } from "../../design/base/foreign.js";

interface AuditEntryRowProps {
  entry: AuditEntry;
  /** Null if no current member or key has that id. */
  actor: string | null;
  /** Filters the list by this resource. Null if the list is already filtered by it. */
  onResource: (() => void) | null;
}

export function AuditEntryRow({ entry, actor, onResource }: AuditEntryRowProps) {
  const { action, resource, metadata, created_at } = entry;
  const { words, tone } = wordingOf(action);
  const details = Object.entries(metadata).filter(([, value]) => value !== null);
  return (
    <li className="audit-entry">
      <div className="audit-what">
        <p>
          <strong title={entry.actor}>
            {actor === null ? "Somebody no longer here" : <Foreign text={actor} />}
          </strong>{" "}
          {words}
        </p>
        <p className="audit-details">
          <Copyable text={resource} label="id" />
          {onResource === null ? null : (
            <button type="button" className="audit-more" onClick={onResource}>
              All of <span className="visually-hidden">{resource}</span>
              <span aria-hidden="true">this id</span>
            </button>
          )}
          {details.map(([name, value]) => (
            <span key={name} className="audit-detail">
              {formatName(name)}{" "}
              <span className="audit-value">{value === null ? null : <Foreign text={String(value)} />}</span>
            </span>
          ))}
        </p>
      </div>
      <div className="audit-when">
        <Badge tone={tone} isPlain>
          {action}
        </Badge>
        <Age at={created_at} />
      </div>
    </li>
  );
}
