import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { useAddress, withoutPlaces } from "./address.js";

interface ModeOfPage {
  mode: Mode;
  /** True if the address names the mode. */
  isChosen: boolean;
  /** `replace` replaces the current entry of the history. */
  setMode(mode: Mode, options?: { replace: boolean }): void;
}

/** AUTH-15: a session reads `live` unless the address says `mode=test`. */
export function useMode(): ModeOfPage {
  const address = useAddress();
  const named = address.parameters.get("mode");
  return {
    mode: named === "test" ? "test" : "live",
    isChosen: named === "test" || named === "live",
    // A position in one mode's list means nothing in the other mode's.
    setMode: (mode, options) => address.edit({ mode, ...withoutPlaces(address) }, options),
  };
}

/** Adds the chosen mode to an address, if there is one. `to` starts with `/` and may have a query. */
function inMode(to: string, mode: Mode | null): string {
  return mode === null ? to : `${to}${to.includes("?") ? "&" : "?"}mode=${mode}`;
}

interface PlaceLinkProps {
  to: string;
  className?: string;
  onClick?: (event: MouseEvent) => void;
  children: ReactNode;
}

/** A link inside the dashboard that keeps the chosen mode. */
export function PlaceLink({ to, className = "", onClick, children }: PlaceLinkProps) {
  const { mode, isChosen } = useMode();
  const [location] = useLocation();
  return (
    <Link
      to={inMode(to, isChosen ? mode : null)}
      className={className}
      // The link is marked as current on pages below its own, too.
      aria-current={location === to ? "page" : location.startsWith(`${to}/`) ? "true" : undefined}
      onClick={(event) => onClick?.(event)}
    >
      {children}
    </Link>
  );
}
