import type { OidcSettings } from "../platform/settings/oidc.js";
import type { Report } from "./finding.js";

const ANSWER_MS_MAX = 5000;
/** The path that OpenID Connect Discovery §4 fixes. */
const METADATA_PATH = "/.well-known/openid-configuration";

/** AUTH-34: checks that the identity provider publishes metadata with the issuer of the settings. */
export async function checkIdentityProvider(settings: OidcSettings | null, report: Report): Promise<void> {
  if (settings === null) return report("skipped", "OIDC_ISSUER is not set: people sign in with passwords");
  const { issuer } = settings;
  const metadata = await readMetadata(issuer);
  const named = (metadata as { issuer?: unknown } | null)?.issuer;
  if (named === issuer) return report("ok", `${issuer} answers`);
  report("wrong", `${issuer} answers under another name, so no sign-in succeeds`);
}

async function readMetadata(issuer: string): Promise<unknown> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const response = await fetch(issuer.replace(/\/$/, "") + METADATA_PATH, { signal }).catch(
    (error: unknown) => {
      // The error of Node's fetch says only that it failed. Its cause has the reason.
      const { cause, message } = error as { cause?: unknown; message: string };
      throw cause instanceof Error ? cause : new Error(message, { cause: error });
    },
  );
  if (response.status !== 200) throw new Error(`${issuer} answers its metadata with ${response.status}`);
  return response.json().catch(() => null);
}
