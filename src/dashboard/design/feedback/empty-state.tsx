import type { ReactNode } from "react";
import { Icon, type IconName } from "../base/icon.js";
import "../base/badge.css";
import "../base/states.css";

/** Shown if a list is empty without an error. It says what the list would contain and how entries come about. */
export function EmptyState({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className="state">
      <span className="state-icon tone-neutral">
        <Icon name={icon} />
      </span>
      <h3>{title}</h3>
      {children === undefined ? null : <div className="state-text">{children}</div>}
    </div>
  );
}
