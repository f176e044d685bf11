import type { ExtraHeaders } from "./api-error.js";

/**
 * A page may load scripts, styles and fonts of its own origin and send requests to that origin. Nothing else is
 * allowed. No other page may frame it, and windows that it opens or that opened it have no access to it.
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

/** The security headers for a page, with the given content security policy. */
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
