import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { useAddress, withoutPlaces } from "./address.js";

interface ModeOfPage {
  mode: Mode;
  /** The address names it: somebody chose it, or followed a link from where it was chosen. */
  isChosen: boolean;
  /** `replace`: the place one was in before is not one to go back to. */
  setMode(mode: Mode, options?: { replace: boolean }): void;
}

/** AUTH-15: a session reads `live` unless the address says `mode=test`. */
export function useMode(): ModeOfPage {
  const address = useAddress();
  const named = address.parameters.get("mode");
  return {
    mode: named === "test" ? "test" : "live",
    isChosen: named === "test" || named === "live",
    // A place in one mode's list is none in the other's.
    setMode: (mode, options) => address.edit({ mode, ...withoutPlaces(address) }, options),
  };
}

/** The same place in the mode that is chosen, null where none is. `to` starts with `/` and may have a query of its own. */
function inMode(to: string, mode: Mode | null): string {
  return mode === null ? to : `${to}${to.includes("?") ? "&" : "?"}mode=${mode}`;
}

interface PlaceLinkProps {
  to: string;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** A link inside the dashboard: it stays in the mode one is in. */
export function PlaceLink({ to, className = "", onClick, children }: PlaceLinkProps) {
  const { mode, isChosen } = useMode();
  const [location] = useLocation();
  return (
    <Link
      to={inMode(to, isChosen ? mode : null)}
      className={className}
      // A page below it is still a part of it.
      aria-current={location === to ? "page" : location.startsWith(`${to}/`) ? "true" : undefined}
      onClick={() => onClick?.()}
    >
      {children}
    </Link>
  );
}
