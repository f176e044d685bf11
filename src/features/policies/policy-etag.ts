import type { ValidationIssue } from "../../platform/wire/validation-issue.js";
import type { MatchesLive } from "./queries.js";

/** The tag while no policy is live, so that the first publish can be guarded too. */
const NONE_LIVE = '"none"';

/**
 * POL-17: the `ETag` names the merchant's live policy. The policy's id is enough, because a stored policy never changes
 * its rules. After a rollback the same tag means the same rules again. A new draft does not change the tag.
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
 * RFC 9110 §13.1.1 `If-Match`: `*` matches any live policy, and a list matches its tags. The comparison is strong, so
 * a weak tag matches nothing. A list without tags is refused, because it could never match.
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
