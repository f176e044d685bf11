import { createSecretBox } from "../../platform/node/secret-box.js";
import type { Identity, SignInSecrets } from "./identity-provider.js";

/** AUTH-25: the cookie in which a browser keeps an unfinished sign-in. */
export const FLOW_COOKIE = "payinference_oidc";
const PATH = "/v1/auth/oidc";
const COOKIE = new RegExp(`(?:^|;)[ \\t]*${FLOW_COOKIE}=([^;\\s]*)`);

/** A browser that was sent to the provider. */
export interface BegunFlow extends SignInSecrets {
  /** The dashboard's address to return to, or null. */
  next: string | null;
}

/** A person whose identity the provider has proved, but whose one-time code is still missing. */
export interface CodedFlow {
  userId: string;
  identity: Identity;
}

interface FlowKinds {
  begun: BegunFlow;
  coded: CodedFlow;
}

interface FlowCookieOptions {
  /** OIDC_CLIENT_SECRET. All nodes have it, so any node can finish a sign-in that another node began. */
  clientSecret: string;
  lifeMs: number;
  /** Unix milliseconds. */
  now(): number;
}

/** The cookie is encrypted and authenticated. Nodes store nothing about an unfinished sign-in. */
export function createFlowCookie({ clientSecret, lifeMs, now }: FlowCookieOptions) {
  const box = createSecretBox(clientSecret);
  // A cookie that was sealed as one kind cannot be opened as another.
  const contextOf = (kind: keyof FlowKinds): string => `OpenID Connect sign-in: ${kind}`;
  return {
    /** The cookie's value. */
    seal<Kind extends keyof FlowKinds>(kind: Kind, flow: FlowKinds[Kind]): string {
      const text = JSON.stringify({ flow, endsAtMs: now() + lifeMs });
      return box.seal(text, contextOf(kind)).toString("base64url");
    },

    open<Kind extends keyof FlowKinds>(
      kind: Kind,
      cookieHeader: string | undefined,
    ): FlowKinds[Kind] | "none" | "expired" {
      const value = COOKIE.exec(cookieHeader ?? "")?.[1];
      const text = value === undefined ? null : box.open(Buffer.from(value, "base64url"), contextOf(kind));
      if (text === null) return "none";
      const { flow, endsAtMs } = JSON.parse(text) as { flow: FlowKinds[Kind]; endsAtMs: number };
      return now() < endsAtMs ? flow : "expired";
    },

    /**
     * The value of `set-cookie`; null deletes the cookie. The cookie is SameSite=Lax, because the provider's answer is
     * a navigation from another site. A browser would not send a Strict cookie with it.
     */
    header(value: string | null, isSecure: boolean): readonly [string, string] {
      const lifeSeconds = value === null ? 0 : lifeMs / 1000;
      const attributes = `Path=${PATH}; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
      return ["set-cookie", `${FLOW_COOKIE}=${value ?? ""}; ${attributes}`];
    },
  };
}

export type FlowCookie = ReturnType<typeof createFlowCookie>;
