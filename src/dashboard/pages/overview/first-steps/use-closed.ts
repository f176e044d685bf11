import { useState } from "react";
import { useAccount } from "../../../session/session.js";

/**
 * The mark stays after a sign-out, because it reveals only that the workspace is set up. Signing out removes drafts.
 */
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
        // The browser stores nothing, so the steps are shown again at the next visit.
      }
    },
  ];
}
