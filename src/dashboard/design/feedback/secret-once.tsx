import { useEffect, useId, useState } from "react";
import { Button } from "../forms/button.js";
import { Icon } from "../base/icon.js";
import { useToasts } from "./toast.js";
import "./secret-once.css";

const COPIED_FOR_MS = 1600;

interface SecretOnceProps {
  label: string;
  text: string;
  warning: string;
  /** The button's text. */
  copy?: string;
}

/** Shows a secret that the service sends only once, with a button that copies it and a warning. */
export function SecretOnce({ label, text, warning, copy: copyLabel = "Copy" }: SecretOnceProps) {
  const id = useId();
  const toasts = useToasts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toasts.failed("The browser did not allow copying: select the text instead."),
    );
  };
  return (
    <div className="secret-once">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="secret-once-row">
        <textarea
          id={id}
          className="secret-once-text mono"
          rows={3}
          readOnly
          spellCheck={false}
          value={text}
          aria-describedby={`${id}-warning`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button kind="primary" onClick={copy}>
          <Icon name={isCopied ? "check" : "copy"} />
          {isCopied ? "Copied" : copyLabel}
        </Button>
      </div>
      <p id={`${id}-warning`} className="secret-once-warning">
        {warning}
      </p>
      <span className="visually-hidden" role="status">
        {isCopied ? `${label} copied` : ""}
      </span>
    </div>
  );
}
