import { Button } from "../forms/button.js";
import { Icon } from "../base/icon.js";
import "./pagination.css";

interface PaginationProps {
  /** The plural of the listed objects, for the names of the buttons: `alerts`. */
  of: string;
  /** `1–5 of 12`, or the known part of it. */
  text: string;
  /** True where the next page has newer rows. */
  isOldestFirst?: boolean;
  /** Null when there is no page in that direction. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** Turns to the previous or next page, for paging by offset and by cursor. */
export function Pagination({ of, text, isOldestFirst = false, onPrevious, onNext }: PaginationProps) {
  const [previous, next] = isOldestFirst ? ["Older", "Newer"] : ["Newer", "Older"];
  return (
    <nav className="pagination" aria-label={`Pages of ${of}`}>
      <span className="pagination-text">{text}</span>
      <Turn label={`${previous} ${of}`} icon="previous" onTurn={onPrevious} />
      <Turn label={`${next} ${of}`} icon="next" onTurn={onNext} />
    </nav>
  );
}

function Turn({
  label,
  icon,
  onTurn,
}: {
  label: string;
  icon: "previous" | "next";
  onTurn: (() => void) | null;
}) {
  return (
    <Button kind="quiet" size="icon" aria-label={label} disabled={onTurn === null} onClick={() => onTurn?.()}>
      <Icon name={icon} />
    </Button>
  );
}
