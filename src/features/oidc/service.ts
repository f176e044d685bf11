import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { OidcError } from "../../domain/vocabulary/vocabulary.js";
import {
  findUserByEmail,
  findUserById,
  type Accounts,
  type PasswordCheck,
  type SecondProof,
  type Showing,
  type SignedIn,
} from "../accounts/service.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { FlowCookie } from "./flow-cookie.js";
import type { Identity, IdentityProvider, ProvenIdentity, ProviderRefusal } from "./identity-provider.js";
import { findLinkedUser, linkIdentity } from "./queries.js";

export interface OidcOptions {
  /** The connections without a tenant, because a person is found before their workspace is known. */
  pool: Pool;
  attempt: Attempt;
  provider: IdentityProvider;
  cookie: FlowCookie;
  accounts: Pick<Accounts, "enter" | "failed">;
  passwords: Pick<PasswordCheck, "tryCode">;
  codes: SecondProof;
  /** Unix milliseconds. */
  now(): number;
}

/** `cookie` is the value of the flow's cookie. */
type CallbackResult =
  | { kind: "signed_in"; signedIn: SignedIn; next: string | null }
  | { kind: "code_required"; cookie: string; next: string | null }
  | { kind: "failed"; error: OidcError; next: string | null };

type CodeRefusal =
  | Extract<OidcError, "linked_otherwise" | "no_membership" | "inactive_tenant" | "unavailable">
  | "not_begun"
  | "wrong_code"
  | "too_many_failures";

/** The number of random bytes that bind an answer to its sign-in. RFC 7636 §4.1 asks for 256 bits. */
const SECRET_BYTES = 32;
const METADATA = { method: "oidc" } as const;

const PROVIDER_ERRORS = {
  unavailable: "provider_unavailable",
  refused: "refused",
  invalid: "invalid_answer",
} as const satisfies Record<ProviderRefusal, OidcError>;

const randomText = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** AUTH-28: finds the person whom an identity lets in. */
async function personOf(
  { pool, accounts }: Pick<OidcOptions, "pool" | "accounts">,
  proven: ProvenIdentity,
): Promise<{ userId: string } | { error: OidcError }> {
  const linked = await findLinkedUser(pool, proven);
  if (linked !== null) return { userId: linked };
  const user = proven.email === null ? null : await findUserByEmail(pool, proven.email);
  if (proven.isEmailVerified) return user ?? { error: "unknown_person" };
  if (user !== null) void accounts.failed(user.userId, METADATA);
  return { error: "email_not_verified" };
}

/** AUTH-24 to AUTH-31: people sign in by an identity provider. */
export function createOidc(options: OidcOptions) {
  const { pool, attempt, provider, cookie, accounts, passwords, codes, now } = options;

  /** Signs the person in. The first sign-in that succeeds links the identity. */
  const enter = (userId: string, identity: Identity, showing: Showing, hasSecondFactor: boolean) =>
    accounts.enter<"linked_otherwise">(
      {
        userId,
        metadata: METADATA,
        hasSecondFactor,
        async within(client) {
          if (await linkIdentity(client, userId, identity, new Date(now()))) return null;
          return (await findLinkedUser(client, identity)) === userId ? null : "linked_otherwise";
        },
      },
      showing,
    );

  const admit = async (
    query: string,
    cookieHeader: string | undefined,
    showing: Showing,
  ): Promise<CallbackResult> => {
    const flow = cookie.open("begun", cookieHeader);
    if (flow === "expired") return { kind: "failed", error: "expired", next: null };
    if (flow === "none") return { kind: "failed", error: "not_begun_here", next: null };
    const { next } = flow;
    const failed = (error: OidcError): CallbackResult => ({ kind: "failed", error, next });
    const [state, ...others] = new URLSearchParams(query).getAll("state");
    if (state !== flow.state || others.length > 0) return failed("not_begun_here");
    const proven = await provider.identify(query, flow);
    if (typeof proven === "string") return failed(PROVIDER_ERRORS[proven]);
    const person = await attempt(() => personOf(options, proven));
    if (person === "unavailable") return failed(person);
    if ("error" in person) return failed(person.error);
    const { userId } = person;
    const identity: Identity = { issuer: proven.issuer, subject: proven.subject };
    const needsCode = proven.hasSecondFactor ? false : await codes.isOn(userId);
    if (needsCode === "unavailable") return failed(needsCode);
    if (needsCode) return { kind: "code_required", cookie: cookie.seal("coded", { userId, identity }), next };
    const entered = await enter(userId, identity, showing, proven.hasSecondFactor);
    return typeof entered === "string" ? failed(entered) : { kind: "signed_in", signedIn: entered, next };
  };

  return {
    /** Begins a sign-in. `location` is the provider's address, and `cookie` the value of the flow's cookie. */
    async begin(next: string | null): Promise<{ location: string; cookie: string } | "unavailable"> {
      const secrets = { state: randomText(), nonce: randomText(), verifier: randomText() };
      const location = await provider.begin(secrets);
      if (typeof location === "string") return "unavailable";
      return { location: location.href, cookie: cookie.seal("begun", { ...secrets, next }) };
    },

    /**
     * Takes the provider's answer. `query` is the text behind `?`. Apart from `state`, only the provider's library
     * reads it.
     */
    admit,

    /** AUTH-32: checks the one-time code of a person whose identity the provider has proved by one factor. */
    async enterWithCode(
      code: string,
      cookieHeader: string | undefined,
      showing: Showing,
    ): Promise<SignedIn | CodeRefusal> {
      const flow = cookie.open("coded", cookieHeader);
      if (flow === "none" || flow === "expired") return "not_begun";
      const { userId, identity } = flow;
      const user = await attempt(() => findUserById(pool, userId));
      if (user === "unavailable") return user;
      if (user === null) return "not_begun";
      const isRight = await passwords.tryCode(user.email, userId, showing, () => codes.use(userId, code));
      if (isRight === false) void accounts.failed(userId, METADATA);
      if (isRight !== true) return isRight === false ? "wrong_code" : isRight;
      return enter(userId, identity, showing, false);
    },
  };
}

export type Oidc = ReturnType<typeof createOidc>;
