/**
 * The session is an HttpOnly cookie, which no script can read. This key records that there may be a session, so that a
 * visitor without one causes no useless request.
 */
const KEY = "payinference.signed-in";

export const sessionHint = {
  get: (): boolean => localStorage.getItem(KEY) !== null,
  set: (): void => localStorage.setItem(KEY, "1"),
  /**
   * AUTH-26: the service sets the cookie of a single sign-on before this page loads, and notes that in the page's
   * address. If the address is wrong, the first request finds no session and clears the key.
   */
  setOnArrival(): void {
    if (new URLSearchParams(window.location.search).get("sso") === "signed_in") sessionHint.set();
  },
  clear: (): void => localStorage.removeItem(KEY),
};
