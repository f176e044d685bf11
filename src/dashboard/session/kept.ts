/** DASH-13: texts that this browser stores for a person until they sign out. Names begin with the person's id. */
const PREFIX = "payinference.kept.";

export const kept = {
  get: (name: string): string | null => localStorage.getItem(PREFIX + name),
  set(name: string, text: string): void {
    try {
      localStorage.setItem(PREFIX + name, text);
    } catch {
      // The browser has no room, or stores nothing. The page works without the stored text.
    }
  },
  remove: (name: string): void => localStorage.removeItem(PREFIX + name),
  names: (start: string): string[] =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + start))
      .map((key) => key.slice(PREFIX.length)),
  clear(userId: string): void {
    for (const name of kept.names(`${userId}.`)) kept.remove(name);
  },
};
