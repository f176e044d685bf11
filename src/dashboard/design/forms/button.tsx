import type { ButtonHTMLAttributes, ReactNode } from "react";
import "./button.css";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  kind?: "primary" | "secondary" | "quiet" | "danger";
  size?: "small" | "regular" | "wide" | "icon";
  /** Something it started is under way: it keeps its place and its focus, and does nothing more. */
  isBusy?: boolean;
  children: ReactNode;
}

/** A button; `type="button"` unless told. */
export function Button({
  kind = "secondary",
  size = "regular",
  isBusy = false,
  onClick,
  ...rest
}: ButtonProps) {
  const classes = ["button", `button-${kind}`, size === "regular" ? "" : `button-${size}`];
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={classes.filter(Boolean).join(" ")}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
