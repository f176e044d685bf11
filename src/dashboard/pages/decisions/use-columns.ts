import { useState } from "react";
import { useAccount } from "../../session/session.js";
import { COLUMN_KEYS, COLUMNS_FIRST, type ColumnKey } from "./decision-columns.js";

/** A sign-out removes drafts, but not this choice, because the choice reveals nothing about a workspace. */
const PREFIX = "payinference.columns.decisions.";

/** DASH-25: the columns that a person has chosen in this browser. */
export function useColumns(): [chosen: readonly ColumnKey[], choose: (keys: readonly string[]) => void] {
  const { user } = useAccount();
  const [chosen, setChosen] = useState(() => keptColumns(PREFIX + user.user_id));
  return [
    chosen,
    (keys) => {
      const next = COLUMN_KEYS.filter((key) => keys.includes(key));
      setChosen(next);
      try {
        localStorage.setItem(PREFIX + user.user_id, next.join(","));
      } catch {
        // The browser has no room, or stores nothing. The choice then lasts until the person leaves the page.
      }
    },
  ];
}

function keptColumns(name: string): readonly ColumnKey[] {
  const text = localStorage.getItem(name);
  if (text === null) return COLUMNS_FIRST;
  const keys = text.split(",");
  return COLUMN_KEYS.filter((key) => keys.includes(key));
}
