import { useEffect, useRef } from "react";

/** REV-15: the effect of each key. */
export const REVIEW_KEYS = [
  { key: "j", text: "Move to the next payment" },
  { key: "k", text: "Move to the payment before" },
  { key: "x", text: "Select the payment, or let it go" },
  { key: "X", text: "Select all of the page, or none" },
  { key: "a", text: "Approve what is selected, or else the payment" },
  { key: "r", text: "Reject what is selected, or else the payment" },
  { key: "Enter", text: "Open the payment" },
  { key: "?", text: "Show these keys" },
] as const;
export type ReviewKey = (typeof REVIEW_KEYS)[number]["key"];

/** REV-15: calls `act` for a key of the page, unless the person types into a field or uses a dialog. */
export function useReviewKeys(act: (key: ReviewKey) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const found = REVIEW_KEYS.find(({ key }) => key === event.key);
      if (found === undefined || document.querySelector("dialog[open]") !== null) return;
      const { target } = event;
      if (target instanceof HTMLElement && isTaken(target, found.key)) return;
      event.preventDefault();
      latest.current(found.key);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** A field other than a check box uses every key. A button or a link uses Enter. */
function isTaken(target: HTMLElement, key: ReviewKey): boolean {
  if (target.closest("textarea, select, input:not([type=checkbox])") !== null) return true;
  return key === "Enter" && target.closest("a, button, input") !== null;
}
