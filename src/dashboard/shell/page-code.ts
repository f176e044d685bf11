/**
 * A page's code is in files of its own, named by their content. After a deployment an open dashboard requests files
 * that no longer exist, and browsers remember a module that failed to load. Reloading the window fixes both.
 */

const KEY = "payinference.reloaded-at";
/** A reload is not repeated automatically within this time. */
const RELOADED_FOR_MS = 60_000;
const ANSWER_TIMEOUT_MS = 5000;

let reloading: Promise<void> = Promise.resolve();

/** Vite reports a module or style that a page needs but could not load. */
export function watchPageCode(): void {
  window.addEventListener("vite:preloadError", () => {
    reloading = reloadOnce();
  });
}

/** Resolves when the window is not being reloaded. */
export function codeReloaded(): Promise<void> {
  return reloading;
}

async function reloadOnce(): Promise<void> {
  const reloadedAtMs = Number(sessionStorage.getItem(KEY));
  if (Date.now() - reloadedAtMs >= RELOADED_FOR_MS) await reload();
}

/** Resolves when the service does not answer, so the window cannot be reloaded. */
export async function reload(): Promise<void> {
  // Without the service, a reload would remove the visible content.
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(window.location.href, { cache: "no-store", signal }).catch(() => null);
  if (answer?.ok !== true) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  window.location.reload();
  await new Promise(() => {});
}
