import type { ValidationIssue } from "../../platform/wire/validation-issue.js";
import type { MatchesLive } from "./queries.js";

/** Before anything is live, so that the first publish can be guarded too. */
const NONE_LIVE = '"none"';

/**
 * POL-17: `ETag`: it names the merchant's live policy. The policy's id says enough, because a stored policy never
 * changes its rules: after a rollback the same tag means the same rules again. A new draft leaves the tag as it is.
 */
export function liveEtag(livePolicyId: string | null): string {
  return livePolicyId === null ? NONE_LIVE : `"${livePolicyId}"`;
}

export type ParsedIfMatch =
  | { ok: true; matchesLive: MatchesLive | null }
  | { ok: false; issue: ValidationIssue };

const TAG = String.raw`(?:W/)?"[^\x00-\x20"\x7f]*"`;
/** RFC 9110 §5.6.1.2: empty elements of a list are ignored. */
const LIST = new RegExp(`^[\t ]*(?:,[\t ]*)*${TAG}[\t ]*(?:,[\t ]*(?:${TAG}[\t ]*)?)*$`);
const TAGS = new RegExp(TAG, "g");
const ANY = /^[\t ]*\*[\t ]*$/;

/**
 * RFC 9110 §13.1.1 `If-Match`: `*` knows any live policy, and a list knows those of its tags. The comparison is strong,
 * so a weak tag knows none. A list without a tag is refused: nobody means to publish against nothing.
 */
export function parseIfMatch(value: string | undefined): ParsedIfMatch {
  if (value === undefined) return { ok: true, matchesLive: null };
  if (ANY.test(value)) return { ok: true, matchesLive: (livePolicyId) => livePolicyId !== null };
  if (!LIST.test(value)) {
    const message = "Must be * or a list of quoted entity tags";
    return { ok: false, issue: { path: "headers.if-match", code: "invalid_string", message } };
  }
  const known = new Set(value.match(TAGS));
  return { ok: true, matchesLive: (livePolicyId) => known.has(liveEtag(livePolicyId)) };
}
