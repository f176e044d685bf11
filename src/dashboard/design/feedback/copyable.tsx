import { useEffect, useState } from "react";
import { Icon } from "../base/icon.js";
import { useToasts } from "./toast.js";
import { Foreign } from "../base/foreign.js";
import "./copyable.css";

const COPIED_FOR_MS = 1600;

/** An id that can be copied with one click. `label` is its kind, such as `decision id`. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const toasts = useToasts();
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toasts.failed("The browser did not allow copying."),
    );
  };
  return (
    <button type="button" className="copyable" aria-label={`Copy the ${label} ${text}`} onClick={copy}>
      <span className="copyable-text mono">
        <Foreign text={text} />
      </span>
      <Icon name={isCopied ? "check" : "copy"} />
      <span className="visually-hidden" role="status">
        {isCopied ? "Copied" : ""}
      </span>
    </button>
  );
}
