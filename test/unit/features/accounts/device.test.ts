import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deviceOf } from "../../../../src/features/accounts/device.js";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const CASES: readonly (readonly [string | undefined, string | null])[] = [
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0`,
    "Edge on Windows",
  ],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Safari/537.36 OPR/120.0`, "Opera on Windows"],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15",
    "Firefox on iPad",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0 Safari/537.36`, "Chrome on ChromeOS"],
  ["curl/8.14.1", "curl"],
  ["node", "Node.js"],
  ["Something (Windows)", "Windows"],
  ["<script>alert(1)</script>", null],
  ["", null],
  [undefined, null],
  [`${"x".repeat(2000)} Firefox/1.0`, null],
];

describe("AUTH-23: the device behind a User-Agent, in words of our own", () => {
  for (const [userAgent, device] of CASES)
    it(`${device ?? "nothing"} for ${userAgent?.slice(0, 60) ?? "no header"}`, () =>
      assert.equal(deviceOf(userAgent), device));
});
