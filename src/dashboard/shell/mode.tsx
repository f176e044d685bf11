import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";

/** AUTH-15: a session reads `live` unless the address says `mode=test`. */
export function useMode(): { mode: Mode; setMode(mode: Mode): void } {
  const [parameters, setParameters] = useSearchParams();
  return {
    mode: parameters.get("mode") === "test" ? "test" : "live",
    setMode(mode) {
      setParameters((before) => {
        const after = new URLSearchParams(before);
        if (mode === "test") after.set("mode", mode);
        else after.delete("mode");
        // A place in one mode's list is none in the other's.
        after.delete("starting_after");
        after.delete("ending_before");
        return after;
      });
    },
  };
}

/** The same place in the mode one is in. `to` starts with `/` and may have a query of its own. */
function inMode(to: string, mode: Mode): string {
  if (mode === "live") return to;
  return `${to}${to.includes("?") ? "&" : "?"}mode=test`;
}

interface PlaceLinkProps {
  to: string;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** A link inside the dashboard: it stays in the mode one is in. */
export function PlaceLink({ to, className = "", onClick, children }: PlaceLinkProps) {
  const { mode } = useMode();
  const [location] = useLocation();
  return (
    <Link
      to={inMode(to, mode)}
      className={className}
      // A page below it is still a part of it.
      aria-current={location === to ? "page" : location.startsWith(`${to}/`) ? "true" : undefined}
      onClick={() => onClick?.()}
    >
      {children}
    </Link>
  );
}
