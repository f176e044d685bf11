import { useState } from "react";
import { useAccount } from "../../../session/session.js";

/** A sign-out removes drafts, but not this mark, because the mark reveals only that the workspace is set up. */
const PREFIX = "payinference.first-steps.";

/** DASH-20: whether this person has dismissed or completed the first steps of this workspace in this browser. */
export function useClosed(): [isClosed: boolean, close: () => void] {
  const { user, workspace } = useAccount();
  const name = `${PREFIX}${user.user_id}.${workspace.id}`;
  const [isClosed] = useState(() => localStorage.getItem(name) !== null);
  return [
    isClosed,
    () => {
      try {
        localStorage.setItem(name, "closed");
      } catch {
        // The browser has no room, or stores nothing. The steps are then shown again at the next visit.
      }
    },
  ];
}
