import { account } from "../api/account/account.js";
import { ProblemError, statusOf } from "../api/transport/problem.js";

const NEEDS = "Open this page over https, or on the service's own machine at http://localhost.";

/**
 * AUTH-3: over plain http the session's cookie is `Secure`, except on a node that is addressed by a loopback name. A
 * browser silently drops such a cookie when it does not trust the page's origin. Returns the reason why no session can
 * begin here, or null if one can.
 */
export function whyNoSession(): string | null {
  if (!window.isSecureContext)
    return `Nobody can sign in here: over plain http the browser does not keep the session's cookie. ${NEEDS}`;
  if (!navigator.cookieEnabled)
    return "Nobody can sign in here: the browser keeps no cookies, and the session is one. Allow them for this site.";
  return null;
}

/** Rejects if the service began a session but the browser did not store its cookie. */
export async function assertCookieKept(): Promise<void> {
  await account.me(AbortSignal.timeout(COOKIE_CHECK_MS)).catch((error: unknown) => {
    if (statusOf(error) !== 401) return;
    const message = `The service accepted this, but the browser did not keep the session's cookie. ${NEEDS}`;
    throw new ProblemError({ kind: "http_error", status: 401, requestId: null, message });
  });
}

/** If the answer takes longer, the page itself asks again later. */
const COOKIE_CHECK_MS = 5000;
