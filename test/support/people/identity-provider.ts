import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import { closeLater } from "../closing.js";

/** A person as the identity provider knows them. */
export interface ProvidedPerson {
  subject: string;
  email?: string;
  isEmailVerified?: boolean;
  amr?: string[];
}

export interface IdentityProviderServer {
  /** The settings of a service whose users sign in with this provider. */
  settings: Readonly<Record<"OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET" | "PUBLIC_URL", string>>;
  /** Signs the person in at the address that the service named. Returns the query that the browser brings back. */
  signIn(location: string, person: ProvidedPerson): Promise<URLSearchParams>;
}

const CLIENT = { id: "payinference", secret: "a client secret for tests" };
/** Nobody listens at this address. The test acts as the browser, and takes the answer to the service itself. */
const PUBLIC_URL = "http://127.0.0.1:8080";
/** Names the person who signs in. The test's browser sends it instead of a password. */
export const PERSON_HEADER = "x-person";

interface IdentityProviderOptions {
  publicUrl?: string;
  /** The host name in the issuer. */
  host?: "127.0.0.1" | "localhost";
  /** True puts the address into the id token. By default only the user info has it. */
  isEmailInToken?: boolean;
}

/** Starts a real OpenID Connect provider on loopback. It asks for no password and no consent. */
export async function startIdentityProvider({
  publicUrl = PUBLIC_URL,
  host = "127.0.0.1",
  isEmailInToken = false,
}: IdentityProviderOptions = {}): Promise<IdentityProviderServer> {
  const people = new Map<string, ProvidedPerson>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closeLater(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as { port: number };
  const issuer = `http://${host}:${port}`;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] },
    cookies: { keys: ["a key for tests"] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/v1/auth/oidc/callback`],
        id_token_signed_response_alg: "ES256",
      },
    ],
    conformIdTokenClaims: !isEmailInToken,
    claims: { openid: ["sub", "amr"], email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, subject) => ({ accountId: subject, claims: () => claimsOf(people.get(subject)) }),
    // The provider keeps no consent: it makes the grant when the grant is requested.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const accountId = session?.accountId;
      if (client === undefined || accountId === undefined) return undefined;
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  });
  provider.on("server_error", (_, error) => assert.fail(error));
  const handle = provider.callback();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith("/interaction/") !== true) return handle(request, response);
    const person = JSON.parse(String(request.headers[PERSON_HEADER])) as ProvidedPerson;
    people.set(person.subject, person);
    const { subject: accountId, amr = [] } = person;
    await provider.interactionFinished(request, response, { login: { accountId, amr } });
  };

  return {
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      PUBLIC_URL: publicUrl,
    },
    async signIn(location, person) {
      const cookies = new Map<string, string>();
      let url = new URL(location);
      while (url.origin === issuer) {
        const response = await fetch(url, {
          redirect: "manual",
          headers: {
            [PERSON_HEADER]: JSON.stringify(person),
            cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; "),
          },
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          cookies.set(name, value);
        }
        const next = response.headers.get("location");
        assert.ok(next !== null, `${url.href} answered ${response.status}: ${await response.text()}`);
        url = new URL(next, url);
      }
      assert.equal(url.origin, publicUrl);
      return url.searchParams;
    },
  };
}

function claimsOf(person: ProvidedPerson | undefined): { sub: string; [claim: string]: unknown } {
  assert.ok(person !== undefined);
  const { subject, email, isEmailVerified } = person;
  return { sub: subject, email, email_verified: isEmailVerified };
}
