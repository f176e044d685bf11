import { makeValidator } from "envalid";
import { nonEmpty } from "./validators.js";
import { SettingsError } from "./settings-error.js";

/** AUTH-24: the identity provider that people may sign in with. */
export interface OidcSettings {
  /** The provider's issuer identifier, compared exactly. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The address at which browsers reach this service, without a slash at its end. */
  publicUrl: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the URL if nobody else can listen to what is sent to it. Secrets and codes are sent to it, so only a loopback
 * address may lack TLS. Null for any other text.
 */
function trustworthyUrl(input: string): URL | null {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (url === null || url.search + url.hash + url.username + url.password !== "") return null;
  const isTrustworthy =
    url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
  return isTrustworthy ? url : null;
}

const issuerUrl = makeValidator<string>((input) => {
  if (trustworthyUrl(input) === null) {
    throw new TypeError("must be an https:// URL without query, or http:// of a loopback address");
  }
  return input;
});

const publicUrl = makeValidator<string>((input) => {
  const url = trustworthyUrl(input);
  if (url?.pathname !== "/") {
    throw new TypeError("must be an https:// URL without a path, or http:// of a loopback address");
  }
  return url.origin;
});

export const OIDC_SPECS = {
  OIDC_ISSUER: issuerUrl({ default: undefined }),
  OIDC_CLIENT_ID: nonEmpty({ default: undefined }),
  OIDC_CLIENT_SECRET: nonEmpty({ default: undefined }),
  PUBLIC_URL: publicUrl({ default: undefined }),
};

type OidcEnvironment = Readonly<Record<keyof typeof OIDC_SPECS, string | undefined>>;

/**
 * Null if none of the OIDC settings is present, which turns sign-in with a provider off. Throws SettingsError if only
 * some of them are present, or if they lack PUBLIC_URL.
 */
export function readOidc({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  PUBLIC_URL: publicUrl,
}: OidcEnvironment): OidcSettings | null {
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const present = Object.entries(given).find(([, value]) => value !== undefined);
  if (present === undefined) return null;
  if (
    issuer === undefined ||
    clientId === undefined ||
    clientSecret === undefined ||
    publicUrl === undefined
  ) {
    const missing = Object.entries({ ...given, PUBLIC_URL: publicUrl }).find(
      ([, value]) => value === undefined,
    );
    throw new SettingsError(`${missing?.[0]}: must be set with ${present[0]}`);
  }
  return { issuer, clientId, clientSecret, publicUrl };
}
