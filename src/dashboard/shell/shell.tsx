import { useEffect, useState, type ReactNode } from "react";
import { problemText } from "../api/transport/problem.js";
import { Button } from "../design/forms/button.js";
import { Icon } from "../design/base/icon.js";
import { Segments } from "../design/layout/tabs.js";
import { useToasts } from "../design/feedback/toast.js";
import { useAccount, useSession } from "../session/session.js";
import { Brand } from "./brand.js";
import { PlaceLink, useMode } from "./mode.js";
import { DrillNotice } from "./drill-notice.js";
import { Navigation } from "./navigation.js";
import type { Page } from "./page.js";
import { StaleNotice } from "./stale-notice.js";
import { ThemeButton } from "./theme-button.js";
import { Foreign } from "../design/base/foreign.js";
import { zoneName } from "../design/base/zone.js";
import { ZoneChoiceField } from "./zone-choice.js";
import "./shell.css";

const MODE_OPTIONS = [
  { value: "live", label: "Live" },
  { value: "test", label: "Test" },
] as const;

interface ShellProps {
  title: string;
  /** The pages of the navigation. The shell cannot import them, because the pages import the shell. */
  pages: readonly Page[];
  children: ReactNode;
}

/** The frame of every page: navigation, mode and account. */
export function Shell({ title, pages, children }: ShellProps) {
  const { workspace } = useAccount();
  const { mode, setMode } = useMode();
  const [isMenuOpen, setMenuOpen] = useState(false);
  useEffect(() => {
    if (!isMenuOpen) return;
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") setMenuOpen(false);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isMenuOpen]);
  useEffect(() => {
    document.title = `${title} · PayInference`;
  }, [title]);
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the page
      </a>
      {isMenuOpen ? (
        <button
          type="button"
          className="side-scrim"
          aria-label="Close the menu"
          onClick={() => setMenuOpen(false)}
        />
      ) : null}
      <aside id="side" className="side" aria-label="Workspace" data-open={isMenuOpen}>
        <Brand />
        <p className="workspace-name">
          <Foreign text={workspace.name} />
        </p>
        <Navigation pages={pages} onNavigate={() => setMenuOpen(false)} />
        <ZoneChoiceField />
        <SignedInPerson onNavigate={() => setMenuOpen(false)} />
      </aside>
      <div className="main">
        <header className="banner">
          <div className="top">
            <div className="menu-button">
              <Button
                kind="quiet"
                size="icon"
                aria-label="Menu"
                aria-expanded={isMenuOpen}
                aria-controls="side"
                onClick={() => setMenuOpen(!isMenuOpen)}
              >
                <Icon name="menu" />
              </Button>
            </div>
            <div className="top-title">
              <h1>{title}</h1>
              {/* DASH-28: the zone of every time on the page. */}
              <p className="top-zone">Times in {zoneName()}</p>
            </div>
            <div className="top-actions">
              <Segments label="Mode" value={mode} options={MODE_OPTIONS} onChange={setMode} />
              <ThemeButton />
            </div>
          </div>
          {mode === "test" ? (
            <p className="test-strip">Test mode: decisions of test keys, kept apart</p>
          ) : null}
          <StaleNotice />
        </header>
        <main id="content" className="page" tabIndex={-1}>
          {children}
        </main>
        <DrillNotice />
      </div>
    </div>
  );
}

/** The person's name links to their own page. */
function SignedInPerson({ onNavigate }: { onNavigate(): void }) {
  const { user, role } = useAccount();
  const { signOut } = useSession();
  const toasts = useToasts();
  return (
    <div className="side-foot">
      <PlaceLink to="/account" className="person" onClick={onNavigate}>
        <span title={user.email}>
          <Foreign text={user.name ?? user.email} />
        </span>
        <span className="person-role">
          <span>{role}</span> · Account
        </span>
      </PlaceLink>
      <Button
        kind="quiet"
        size="icon"
        aria-label="Sign out"
        onClick={() => void signOut().catch((error: unknown) => toasts.failed(problemText(error)))}
      >
        <Icon name="sign_out" />
      </Button>
    </div>
  );
}
