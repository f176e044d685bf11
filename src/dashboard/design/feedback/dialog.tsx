import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { Button } from "../forms/button.js";
import { Icon } from "../base/icon.js";
import "./dialog.css";

/**
 * A modal dialog that is open as long as it is rendered. It uses the browser's own element, which keeps the focus
 * inside, closes on Escape or on a click outside, and gives the focus back.
 */
export function Dialog({
  title,
  isHeld = false,
  isWide = false,
  onClose,
  children,
}: {
  title: ReactNode;
  /** Only the dialog's own button closes it, because its content is never shown again. */
  isHeld?: boolean;
  /** For tables. */
  isWide?: boolean;
  onClose(): void;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // The element is closed before it is removed, because a dialog gives the focus back only when it closes.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        // A browser without `closedby` sends Escape here.
        if (!isHeld) onClose();
      }}
      // A click outside the dialog cancels it too.
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
