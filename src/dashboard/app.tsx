import { Suspense } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { ErrorBoundary } from "./shell/error-boundary.js";
import { ErrorState } from "./design/feedback/error-state.js";
import { Skeleton } from "./design/base/skeleton.js";
import { ThemeProvider } from "./design/base/theme.js";
import { useZoneChoice } from "./design/base/kept-zone.js";
import { ToastProvider } from "./design/feedback/toast.js";
import { EnrolmentPage } from "./pages/account/enrolment-page.js";
import { PAGES } from "./pages.js";
import { AcceptInvitationPage } from "./pages/accept-invitation/accept-invitation-page.js";
import { ForgotPasswordPage } from "./pages/email-links/forgot-password-page.js";
import { ProveEmailPage } from "./pages/email-links/prove-email-page.js";
import { NotFoundPage } from "./pages/not-found/not-found-page.js";
import { ResetPasswordPage } from "./pages/reset-password/reset-password-page.js";
import { RegisterPage } from "./pages/register/register-page.js";
import { SignInPage } from "./pages/sign-in/sign-in-page.js";
import { Entrance } from "./shell/entrance.js";
import { SessionProvider, useSession } from "./session/session.js";
import { mayOpen, type Page } from "./shell/page.js";
import { Shell } from "./shell/shell.js";

export function App() {
  // Subscribes to the chosen zone: a change renders all times again, and keeps typed text.
  useZoneChoice();
  return (
    <ThemeProvider>
      <ToastProvider>
        <SessionProvider>
          <Router base="/dashboard">
            <Switch>
              {/* Anybody may open a link with a token, signed in or not. */}
              <Route path="/accept-invitation" component={AcceptInvitationPage} />
              <Route path="/prove-email" component={ProveEmailPage} />
              <Route path="/reset-password" component={ResetPasswordPage} />
              <Route component={Places} />
            </Switch>
          </Router>
        </SessionProvider>
      </ToastProvider>
    </ThemeProvider>
  );
}

function Places() {
  const { session } = useSession();
  const [location] = useLocation();
  switch (session.kind) {
    case "loading":
      return null;
    case "leaving":
      return <Entrance title="Signing out" />;
    case "failed":
      return (
        <Entrance title="PayInference">
          <ErrorState error={session.error} onRetry={session.retry} />
        </Entrance>
      );
    case "signed_out":
      return (
        <Switch>
          <Route path="/sign-in" component={SignInPage} />
          <Route path="/register" component={RegisterPage} />
          <Route path="/forgot-password" component={ForgotPasswordPage} />
          <Route>
            <Redirect to={`/sign-in${nextParameter(location)}`} replace />
          </Route>
        </Switch>
      );
    case "signed_in":
      if (session.must_enrol_codes === true) return <EnrolmentPage />;
      return (
        <Switch>
          <Route path="/sign-in" component={AfterSignIn} />
          <Route path="/register" component={AfterSignIn} />
          <Route path="/forgot-password" component={AfterSignIn} />
          {PAGES.filter((page) => mayOpen(page, session)).map((page) => (
            <Route key={page.path} path={page.path}>
              <PageInShell page={page} />
            </Route>
          ))}
          <Route>
            <Shell title="Not found" pages={PAGES}>
              <NotFoundPage />
            </Shell>
          </Route>
        </Switch>
      );
  }
}

/** Returns the query that names the wanted page, so that signing in leads back to it. */
function nextParameter(location: string): string {
  if (location === "/") return "";
  return `?${new URLSearchParams({ next: location + window.location.search }).toString()}`;
}

function AfterSignIn() {
  const next = new URLSearchParams(window.location.search).get("next");
  // Only a path of this site is followed. `//host` would lead to another site.
  return <Redirect to={next !== null && /^\/(?!\/)/.test(next) ? next : "/"} replace />;
}

function PageInShell({ page }: { page: Page }) {
  const Content = page.component;
  return (
    <Shell title={page.title} pages={PAGES}>
      <ErrorBoundary key={page.path} onAgain={Content.forget}>
        <Suspense fallback={<Skeleton heightPx={480} />}>
          <Content />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
