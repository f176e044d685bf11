import type { ExtraHeaders } from "./exchange.js";

/**
 * A page loads its own scripts, styles and fonts, sends requests to its own origin, and does nothing else. No page
 * frames it. No window that opened it, or that it opens, reaches into it.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export const PAGE_SECURITY_HEADERS: ExtraHeaders = pageSecurityHeaders(CONTENT_SECURITY_POLICY);

/** The headers of a page that has its own content security policy. */
export function pageSecurityHeaders(contentSecurityPolicy: string): ExtraHeaders {
  return [
    ["content-security-policy", contentSecurityPolicy],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
  ];
}
