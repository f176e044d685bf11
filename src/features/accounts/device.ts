/**
 * AUTH-23: the order matters, because the first match counts. Most browsers also name the browsers they descend from.
 */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPiOS|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^PostmanRuntime\//, "Postman"],
  [/^python-/i, "Python"],
  [/^(?:node|undici)\b/i, "Node.js"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac(?:intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** No browser's `User-Agent` is longer than this. */
const CHARS_READ_MAX = 1024;

/**
 * Returns the browser and system behind a `User-Agent`, like `Firefox on Linux`. The names come from the tables above,
 * so no text of a request is stored or shown. Null if nothing is recognised.
 */
export function deviceOf(userAgent: string | undefined): string | null {
  const text = userAgent?.slice(0, CHARS_READ_MAX) ?? "";
  const names = [BROWSERS, SYSTEMS].flatMap((table) => table.find(([sign]) => sign.test(text))?.[1] ?? []);
  return names.length === 0 ? null : names.join(" on ");
}
