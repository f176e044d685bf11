import { createContext, use, useCallback, useMemo, useState, type ReactNode } from "react";
import { Button } from "../forms/button.js";
import { WithForeign } from "../base/foreign.js";
import { Icon } from "../base/icon.js";
import "./toast.css";

interface Toast {
  id: number;
  /** Apply `isolated` to the parts that other people wrote. */
  text: string;
  isBad: boolean;
}

interface Toasts {
  /** Reports a success. */
  done(text: string): void;
  /** Reports a failure. The message stays until it is closed. */
  failed(text: string): void;
}

const TOASTS_MAX = 3;
const DONE_FOR_MS = 5000;

const ToastContext = createContext<Toasts | null>(null);
let nextId = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const api = useMemo<Toasts>(() => {
    const add = (text: string, isBad: boolean): void => {
      const id = nextId++;
      setToasts((all) => [...all.slice(1 - TOASTS_MAX), { id, text, isBad }]);
      if (!isBad) setTimeout(() => close(id), DONE_FOR_MS);
    };
    return { done: (text) => add(text, false), failed: (text) => add(text, true) };
  }, [close]);
  return (
    <ToastContext value={api}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text, isBad }) => (
          <div key={id} className={isBad ? "toast toast-bad" : "toast"}>
            <span className="toast-text">
              <WithForeign text={text} />
            </span>
            <Button kind="quiet" size="icon" aria-label="Dismiss" onClick={() => close(id)}>
              <Icon name="close" />
            </Button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}

/** Short messages at the edge of the window. Screen readers read them out as they appear. */
export function useToasts(): Toasts {
  const toasts = use(ToastContext);
  if (toasts === null) throw new Error("useToasts needs a ToastProvider");
  return toasts;
}
