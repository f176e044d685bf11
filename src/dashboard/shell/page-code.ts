/**
 * A page's code is in files of its own, named by their content. After a deployment an open dashboard asks for files that
 * are gone, and browsers remember that a module could not be loaded: a reload of the window mends both.
 */

const KEY = "payinference.reloaded-at";
/** A reload that did not help is not done again by itself for so long. */
const RELOADED_FOR_MS = 60_000;
const ANSWER_TIMEOUT_MS = 5000;

let reloading: Promise<void> = Promise.resolve();

/** Vite tells of a module or a style that a page needs and could not get. */
export function watchPageCode(): void {
  window.addEventListener("vite:preloadError", () => {
    reloading = reloadOnce();
  });
}

/** Comes back where the window is not being loaded anew. */
export function codeReloaded(): Promise<void> {
  return reloading;
}

async function reloadOnce(): Promise<void> {
  const reloadedAtMs = Number(sessionStorage.getItem(KEY));
  if (Date.now() - reloadedAtMs >= RELOADED_FOR_MS) await reload();
}

/** Comes back where there is nobody to load the window from. */
export async function reload(): Promise<void> {
  // Without the service a reload would take away what is still shown.
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(window.location.href, { cache: "no-store", signal }).catch(() => null);
  if (answer?.ok !== true) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  window.location.reload();
  await new Promise(() => {});
}
