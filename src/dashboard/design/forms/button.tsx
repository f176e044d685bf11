import type { ButtonHTMLAttributes, ReactNode } from "react";
import "./button.css";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  kind?: "primary" | "secondary" | "quiet" | "danger";
  size?: "small" | "regular" | "wide" | "icon";
  /**
   * True while the action that the button started is under way. The button keeps its place and focus but does nothing.
   */
  isBusy?: boolean;
  children: ReactNode;
}

/** A button. Its default is `type="button"`. */
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
