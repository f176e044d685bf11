/**
 * The session is an HttpOnly cookie, which no script can read. This key remembers that there may be one, so that a
 * visitor without a session causes no useless request.
 */
const KEY = "payinference.signed-in";

export const sessionHint = {
  get: (): boolean => localStorage.getItem(KEY) !== null,
  set: (): void => localStorage.setItem(KEY, "1"),
  clear: (): void => localStorage.removeItem(KEY),
};
