/**
 * The files with a page's code are named by their content. After a deployment, an open dashboard may request files
 * that no longer exist, and browsers remember a module that failed to load. Reloading the window fixes both.
 */

const KEY = "payinference.reloaded-at";
/** Within this time, the window is not reloaded automatically a second time. */
const RELOADED_FOR_MS = 60_000;
const ANSWER_TIMEOUT_MS = 5000;

let reloading: Promise<void> = Promise.resolve();

/** Reloads the window if Vite reports that a page's module or style could not be loaded. */
export function watchPageCode(): void {
  window.addEventListener("vite:preloadError", () => {
    reloading = reloadOnce();
  });
}

/** Resolves only if the window is not reloaded. */
export function codeReloaded(): Promise<void> {
  return reloading;
}

async function reloadOnce(): Promise<void> {
  const reloadedAtMs = Number(sessionStorage.getItem(KEY));
  if (Date.now() - reloadedAtMs >= RELOADED_FOR_MS) await reload();
}

/** Reloads the window. Resolves only if the service gives no successful answer. The window then stays as it is. */
export async function reload(): Promise<void> {
  // Without a successful answer, a reload would remove the visible content.
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(window.location.href, { cache: "no-store", signal }).catch(() => null);
  if (answer?.ok !== true) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  window.location.reload();
  await new Promise(() => {});
}
