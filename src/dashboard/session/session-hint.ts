/**
 * The session is an HttpOnly cookie, which no script can see. That there may be one is remembered here, so that a visitor
 * without one is not asked for it in vain.
 */
const KEY = "payinference.signed-in";

export const sessionHint = {
  get: (): boolean => localStorage.getItem(KEY) !== null,
  set: (): void => localStorage.setItem(KEY, "1"),
  clear: (): void => localStorage.removeItem(KEY),
};
