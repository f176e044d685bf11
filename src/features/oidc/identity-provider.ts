import type { Configuration, IDToken } from "openid-client";
import { OIDC_LIMITS } from "../../domain/vocabulary/tuning/oidc.js";
import type { OidcSettings } from "../../platform/settings/oidc.js";
import { within } from "../../platform/timing/within.js";

/** OpenID Connect Core §2: an issuer and a subject together name one person for ever. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** A person as the provider describes them. */
export interface ProvenIdentity extends Identity {
  /** Null if the provider names no address, or one with a null character. */
  email: string | null;
  isEmailVerified: boolean;
  /** True if the provider reports more than one factor. */
  hasSecondFactor: boolean;
}

/** The secrets that one sign-in is bound to. They are made for each sign-in and never shown to another browser. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** RFC 7636: the provider first gets the verifier's hash, and later the verifier with the code. */
  verifier: string;
}

/**
 * `refused`: the provider refuses the sign-in, or does not accept the code. `invalid`: the answer does not belong to
 * this sign-in, or does not come from the provider.
 */
export type ProviderRefusal = "unavailable" | "refused" | "invalid";

export interface IdentityProviderOptions extends OidcSettings {
  /** The time limit for all calls of one request. */
  timeoutMs: number;
  /** Monotonic milliseconds. */
  monotonicMs(): number;
  /** `code` comes from the library, and `error` from the provider. Neither contains personal data. */
  onProblem(problem: { code: string; error?: string }): void;
}

export const CALLBACK_PATH = "/v1/auth/oidc/callback";
const SCOPE = "openid email";

/**
 * The values of `acr` with which providers report several factors: RFC 8176's `mfa`, and two authentication classes.
 */
const MULTI_FACTOR_ACRS: readonly unknown[] = [
  "mfa",
  "https://refeds.org/profile/mfa",
  "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
];

/** The library is loaded at the first sign-in. Most deployments and all threads but the front never need it. */
const library = () => import("openid-client");

/**
 * AUTH-24 to AUTH-27: the code flow with PKCE. The provider is called only when somebody signs in, so the service also
 * starts while the provider is away.
 */
export function createIdentityProvider(options: IdentityProviderOptions) {
  const { issuer, publicUrl, timeoutMs, monotonicMs, onProblem } = options;
  const redirectUri = publicUrl + CALLBACK_PATH;
  let known: { config: Configuration; readAtMs: number } | null = null;
  let reading: Promise<Configuration> | null = null;

  /** Requests at the same time share one read. */
  const read = (): Promise<Configuration> =>
    (reading ??= discover(options)
      .then((config) => {
        known = { config, readAtMs: monotonicMs() };
        return config;
      })
      .finally(() => (reading = null)));

  const configuration = async (): Promise<Configuration> => {
    if (known === null) return read();
    if (monotonicMs() - known.readAtMs < OIDC_LIMITS.metadataLifeMs) return known.config;
    const { config } = known;
    // While the provider is away, old metadata is better than none.
    return read().catch(() => config);
  };

  /** The library limits the time of each call. `bounded` limits the time of all calls together. */
  const bounded = <T>(work: () => Promise<T>): Promise<T | ProviderRefusal> =>
    within(
      work().catch((error: unknown) => refusalOf(error, onProblem)),
      timeoutMs,
      "unavailable",
    );

  return {
    issuer,

    /** Returns the address at the provider that the browser goes to. */
    begin: ({ state, nonce, verifier }: SignInSecrets): Promise<URL | ProviderRefusal> =>
      bounded(async () => {
        const [config, { buildAuthorizationUrl, calculatePKCECodeChallenge }] = await Promise.all([
          configuration(),
          library(),
        ]);
        return buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        });
      }),

    /**
     * Redeems the code in the provider's answer. The library compares state, issuer (RFC 9207), nonce and signature.
     */
    identify: (query: string, secrets: SignInSecrets): Promise<ProvenIdentity | ProviderRefusal> =>
      bounded(async () => {
        const [config, { authorizationCodeGrant, fetchUserInfo }] = await Promise.all([
          configuration(),
          library(),
        ]);
        const answer = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
        });
        const token = answer.claims();
        if (token === undefined) return "invalid";
        const isWhole = token.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
        const described = isWhole ? token : await fetchUserInfo(config, answer.access_token, token.sub);
        return identityOf(token, described);
      }),
  };
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

async function discover({
  issuer,
  clientId,
  clientSecret,
  timeoutMs,
}: Pick<
  IdentityProviderOptions,
  "issuer" | "clientId" | "clientSecret" | "timeoutMs"
>): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, discovery, enableNonRepudiationChecks } = await library();
  const server = new URL(issuer);
  return discovery(server, clientId, undefined, ClientSecretBasic(clientSecret), {
    timeout: timeoutMs / 1000,
    // The settings accept http:// for loopback addresses only, so allowing it here is safe.
    execute:
      server.protocol === "http:"
        ? [enableNonRepudiationChecks, allowInsecureRequests]
        : [enableNonRepudiationChecks],
  });
}

function identityOf(
  { iss: issuer, sub: subject, acr, amr }: IDToken,
  { email, email_verified: isVerified }: Readonly<Record<string, unknown>>,
): ProvenIdentity | "invalid" {
  if (subject.length > OIDC_LIMITS.subjectCharsMax || subject.includes("\0")) return "invalid";
  return {
    issuer,
    subject,
    email: typeof email === "string" && !email.includes("\0") ? email : null,
    // Some providers write "true" as a text. Only the JSON value true counts.
    isEmailVerified: isVerified === true,
    hasSecondFactor: hasSeveralFactors(amr) || MULTI_FACTOR_ACRS.includes(acr),
  };
}

/** RFC 8176 §2. A one-time code alone is a single factor. */
function hasSeveralFactors(methods: unknown): boolean {
  if (!Array.isArray(methods)) return false;
  return methods.includes("mfa") || (methods.includes("otp") && new Set(methods).size > 1);
}

/** Codes of the library for a provider that does not answer, or whose answer is not OpenID Connect. */
const AWAY: ReadonlySet<string> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);

function refusalOf(error: unknown, onProblem: IdentityProviderOptions["onProblem"]): ProviderRefusal {
  const { name, code, error: word } = error as { name?: string; code?: string; error?: string };
  // This answer came through the browser, so its texts are not logged.
  if (name === "AuthorizationResponseError") return "refused";
  if (name === "ResponseBodyError") {
    onProblem({ code: code ?? name, ...(word === undefined ? {} : { error: word }) });
    return "refused";
  }
  onProblem({ code: code ?? name ?? "unknown" });
  // Node's fetch throws a TypeError when there is no connection.
  if (error instanceof TypeError && code === undefined) return "unavailable";
  return code !== undefined && AWAY.has(code) ? "unavailable" : "invalid";
}
