import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { Button } from "../forms/button.js";
import { Icon } from "../base/icon.js";
import "./dialog.css";

/**
 * A modal dialog, open as long as it is rendered. The platform's own: it keeps the focus inside, closes with Escape or a
 * click beside it, and gives the focus back.
 */
export function Dialog({
  title,
  isHeld = false,
  onClose,
  children,
}: {
  title: ReactNode;
  /** Only a button of its own closes it: what it shows, or is about to, is not shown again. */
  isHeld?: boolean;
  onClose(): void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Before its element is taken away: a dialog gives the focus back when it closes, not when it vanishes.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        // A browser that does not know `closedby` asks here for Escape.
        if (!isHeld) onClose();
      }}
      // A click beside it is a cancel too.
      closedby={isHeld ? "none" : "any"}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        {isHeld ? null : (
          <Button kind="quiet" size="icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </Button>
        )}
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
