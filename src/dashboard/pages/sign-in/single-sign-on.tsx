import { OIDC_ERRORS, type OidcError } from "../../../domain/vocabulary/vocabulary.js";

/** AUTH-31: every error with what the person can do about it. */
const TEXTS: Readonly<Record<OidcError, string>> = {
  not_begun_here: "This sign-in was not begun in this browser. Begin again.",
  expired: "The sign-in took too long. Begin again.",
  refused: "The identity provider refused the sign-in. Begin again.",
  invalid_answer: "The identity provider's answer cannot be trusted. Tell whoever runs this service.",
  email_not_verified: "The identity provider does not vouch for your e-mail address.",
  unknown_person:
    "Nobody here has your e-mail address. Ask for an invitation, and accept it with a password first.",
  linked_otherwise: "The account of your e-mail address belongs to another identity. Tell an owner.",
  no_membership: "You are not a member of any workspace.",
  inactive_tenant: "Your workspace is suspended.",
  provider_unavailable: "The identity provider does not answer right now. Try again later.",
  unavailable: "Accounts cannot be read right now. Try again later.",
};

/** The service adds this element to the page if an identity provider is configured. */
export const isSingleSignOnSet = (): boolean =>
  document.querySelector('meta[name="payinference-single-sign-on"]') !== null;

/** The text for the error in the page's address, or null. */
export function singleSignOnProblem(search: string): string | null {
  const named = new URLSearchParams(search).get("error");
  const error = OIDC_ERRORS.find((one) => one === named);
  return error === undefined ? null : TEXTS[error];
}

/** AUTH-32: true if the provider has proved the person, but a one-time code is missing. */
export const isCodeAsked = (search: string): boolean =>
  new URLSearchParams(search).get("sso") === "code_required";

/**
 * This is a link and not a button, because the person navigates to the provider. The provider leads back to the
 * requested page.
 */
export function SingleSignOnLink({ search }: { search: string }) {
  const next = new URLSearchParams(search).get("next");
  const query = next === null ? "" : `?${new URLSearchParams({ next }).toString()}`;
  return (
    <a className="button button-secondary button-wide" href={`/v1/auth/oidc/start${query}`}>
      Sign in with single sign-on
    </a>
  );
}
