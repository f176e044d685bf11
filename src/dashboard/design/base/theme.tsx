import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";

type Scheme = "light" | "dark";

interface Theme {
  scheme: Scheme;
  toggle(): void;
}

const KEY = "payinference.theme";
const PREFERS_DARK = matchMedia("(prefers-color-scheme: dark)");
const ThemeContext = createContext<Theme | null>(null);

function chosenScheme(): Scheme | null {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : null;
}

/** Follows the system's colour scheme until somebody chooses another one. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [chosen, setChosen] = useState(chosenScheme);
  const [isSystemDark, setSystemDark] = useState(PREFERS_DARK.matches);
  useEffect(() => {
    const follow = (): void => setSystemDark(PREFERS_DARK.matches);
    PREFERS_DARK.addEventListener("change", follow);
    return () => PREFERS_DARK.removeEventListener("change", follow);
  }, []);
  const scheme = chosen ?? (isSystemDark ? "dark" : "light");
  const theme = useMemo<Theme>(
    () => ({
      scheme,
      toggle() {
        const next = scheme === "dark" ? "light" : "dark";
        localStorage.setItem(KEY, next);
        applyTheme(next);
        setChosen(next);
      },
    }),
    [scheme],
  );
  return <ThemeContext value={theme}>{children}</ThemeContext>;
}

function applyTheme(scheme: Scheme | null): void {
  if (scheme === null) delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = scheme;
}

/** Applies the scheme that was chosen on an earlier visit. Call it before the first paint. */
export function applyChosenTheme(): void {
  applyTheme(chosenScheme());
}

export function useTheme(): Theme {
  const theme = use(ThemeContext);
  if (theme === null) throw new Error("useTheme needs a ThemeProvider");
  return theme;
}
