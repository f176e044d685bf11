import { useEffect, useRef } from "react";
import { useAddress } from "../../shell/address.js";

/** DASH-26: keeps the decision that is open beside the list in the address. */
export function useOpenDecision() {
  const { parameters, edit } = useAddress();
  return {
    openId: parameters.get("open"),
    /** `replace` adds no entry to the history. It is for moves with the arrow keys. */
    open: (decisionId: string, replace = false) => edit({ open: decisionId }, { replace }),
    close: () => edit({ open: null }),
  };
}

interface ListKeys {
  /** The ids of the listed decisions, in order. */
  ids: readonly string[];
  openId: string | null;
  onMove(decisionId: string): void;
  onClose(): void;
}

/**
 * DASH-27: the arrow keys move through the rows, and Escape closes the open decision. The row's link handles Enter
 * itself.
 */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (document.querySelector("dialog[open]") !== null || !(target instanceof HTMLElement)) return;
      if (target.closest("input, select, textarea") !== null) return;
      const { ids, openId, onMove, onClose } = latest.current;
      if (key === "Escape" && openId !== null) {
        event.preventDefault();
        onClose();
        return;
      }
      const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
      // Outside the list, the arrow keys must scroll as usual.
      if (step === 0 || !(target === document.body || target.closest(".log-rows") !== null)) return;
      const at = ids.indexOf(decisionOf(target) ?? openId ?? "");
      const next = ids[at === -1 ? 0 : at + step];
      if (next === undefined) return;
      event.preventDefault();
      focusRow(next);
      onMove(next);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Gives the focus to a decision's row, if the list shows it. */
export function focusRow(decisionId: string): void {
  document.querySelector<HTMLElement>(`.log-rows [data-decision="${CSS.escape(decisionId)}"] a`)?.focus();
}

function decisionOf(target: HTMLElement): string | undefined {
  return target.closest("tr")?.querySelector<HTMLElement>("[data-decision]")?.dataset["decision"];
}
