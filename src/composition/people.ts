import { createPasswordChange } from "../features/accounts/change-password.js";
import { createPasswordCheck } from "../features/accounts/password-check.js";
import { createPasswordQueue } from "../features/accounts/password-queue.js";
import { supervisePasswords } from "../features/accounts/password-thread.js";
import { accountRoutes } from "../features/accounts/routes/account-routes.js";
import {
  createAccounts,
  type Accounts,
  type AccountSettings,
  type PasswordCheck,
  type SecondProof,
} from "../features/accounts/service.js";
import { createSignInProof } from "../features/accounts/sign-in-proof.js";
import { createSignInFailures } from "../features/accounts/sign-in-failures.js";
import { apiKeyRoutes } from "../features/api-keys/routes.js";
import { createCodeCheck } from "../features/one-time-codes/code-check.js";
import { superviseErasures } from "../features/erasures/job/erasure-thread.js";
import { countUnfinishedErasures } from "../features/erasures/job/unfinished.js";
import { erasureRoutes } from "../features/erasures/routes.js";
import { createFlowCookie } from "../features/oidc/flow-cookie.js";
import { createIdentityProvider } from "../features/oidc/identity-provider.js";
import { oidcRoutes, type OidcRoutesParts } from "../features/oidc/routes.js";
import { createOidc } from "../features/oidc/service.js";
import { oneTimeCodeRoutes } from "../features/one-time-codes/routes.js";
import { emailLinkRoutes } from "../features/email-links/routes.js";
import { createEmailLinks } from "../features/email-links/service.js";
import { isMailDue, sweepMails } from "../features/mail/queries/mail.js";
import { superviseMail } from "../features/mail/sender/mail-thread.js";
import { createMailbox, type Mailbox } from "../features/mail/service.js";
import { platformAdminRoutes } from "../features/platform-admin/routes.js";
import { sessionRoutes } from "../features/sessions/routes.js";
import { setAsideRoutes } from "../features/set-aside/routes.js";
import { teamRoutes } from "../features/team/routes/team-routes.js";
import { ACCESS_LIMITS } from "../domain/vocabulary/access-limits.js";
import { OIDC_LIMITS } from "../domain/vocabulary/tuning/oidc.js";
import { OIDC_ERRORS } from "../domain/vocabulary/vocabulary.js";
import { createSessionCheck } from "../path/access/sessions.js";
import type { Route } from "../path/front/route.js";
import { ownFile } from "../platform/node/own-files.js";
import { clockOffsetMs, monotonicMs } from "../platform/timing/clock.js";
import { createSecretBox } from "../platform/node/secret-box.js";
import type { FeatureParts } from "./feature-parts.js";

/** Builds the parts for users, sessions, API keys, team and the platform's administrator. */
export function composePeople(parts: FeatureParts): Route[] {
  const { settings } = parts.node;
  const passwords = composePasswords(parts);
  const coded = { ...parts, secretBox: parts.persistence.secretBox };
  const check = createCodeCheck(coded);
  const prove = createSignInProof({ passwords, codes: check });
  const { registrationIsOpen } = settings;
  const mailbox = composeMail(parts);
  const accounts = createAccounts({ ...parts, registrationIsOpen, mailbox, passwords, prove });
  const links = createEmailLinks({ ...parts, passwords, mailbox });
  const accountSettings: AccountSettings = {
    listenHost: settings.host,
    riskBlockThreshold: settings.riskBlockThreshold,
    retentionDays: settings.retentionDays,
    trustProxyHops: settings.trustProxyHops,
  };
  const team = teamRoutes({
    ...parts,
    mailbox,
    passwords,
    prove,
    signIn: accounts.signIn,
    accountSettings,
    redeemOwn: links.redeem,
  });
  return [
    ...accountRoutes({
      accounts,
      changePassword: createPasswordChange({ ...parts, passwords }),
      accountSettings,
    }),
    ...sessionRoutes({ ...parts, cookieSettings: accountSettings }),
    ...oneTimeCodeRoutes({ ...coded, check, passwords }),
    ...oidcRoutes({ ...composeOidc(parts, { accounts, passwords, codes: check }), accountSettings }),
    ...team.joining,
    ...emailLinkRoutes(links, mailbox !== null),
    ...apiKeyRoutes({
      ...parts,
      forget(publicId) {
        parts.copies.keys.revoke(publicId);
        parts.node.cache.announce({ revokedKey: publicId });
      },
    }),
    ...team.members,
    ...platformAdminRoutes(parts),
    ...composeErasures(parts),
    ...setAsideRoutes(parts),
  ];
}

function composePasswords({ node, threads, pool, attempt, now }: FeatureParts): PasswordCheck {
  const { settings, metrics, log, closers } = node;
  const work = supervisePasswords({ file: ownFile("workers/password.js"), metrics, log });
  closers.push(() => work.stop());
  const { authRateLimitPerMinute } = settings;
  return createPasswordCheck({
    passwords: createPasswordQueue({ work, decisionsMade: threads.pool.committedSequence }),
    // RATE-5: an AUTH_RATE_LIMIT_PER_MINUTE of 0 also turns off the limit of failed sign-ins.
    failures: createSignInFailures(authRateLimitPerMinute === 0 ? 0 : ACCESS_LIMITS.signInFailuresPerMinute),
    checkSession: createSessionCheck(pool, attempt, node.cells.takes),
    onRateLimited: metrics.rateLimited,
    now,
  });
}

interface ProofParts {
  accounts: Accounts;
  passwords: PasswordCheck;
  codes: SecondProof;
}

/** Builds the sign-in with an identity provider. If it is not configured, the routes refuse every request. */
export function composeOidc(
  { node, pool, attempt, now }: FeatureParts,
  proofs: ProofParts,
): Omit<OidcRoutesParts, "accountSettings"> {
  const { oidc: settings, patience } = node.settings;
  if (settings === null) return { oidc: null, onResult: () => undefined };
  const provider = createIdentityProvider({
    ...settings,
    timeoutMs: patience.identityProviderTimeoutMs,
    monotonicMs,
    onProblem: (problem) => node.log.warn(problem, "a sign-in by the identity provider failed"),
  });
  const { clientSecret } = settings;
  const cookie = createFlowCookie({ clientSecret, lifeMs: OIDC_LIMITS.flowLifeMs, now });
  const signIns = node.metrics.counter(
    "payinference_oidc_sign_ins_total",
    "Sign-ins by the identity provider, by what became of them.",
  );
  const children = new Map(
    (["signed_in", "code_required", ...OIDC_ERRORS] as const).map((result) => [
      result,
      signIns.child({ result }),
    ]),
  );
  return {
    oidc: { service: createOidc({ pool, attempt, provider, cookie, now, ...proofs }), cookie },
    onResult: (result) => children.get(result)?.add(1),
  };
}

/** ACC-27: the outbox of letters and the thread that sends them. Null without SMTP_URL or without a secret key. */
function composeMail({ node, database, pool, isReachable, timeoutMs }: FeatureParts): Mailbox | null {
  const { settings, secretKey, metrics, log, closers, nextId } = node;
  if (settings.mail === null || secretKey === null) return null;
  const mail = superviseMail({
    file: ownFile("workers/mail.js"),
    workerData: {
      databaseUrl: database.url,
      statementTimeoutMs: timeoutMs,
      secretKey,
      ...settings.mail,
    },
    isDue: () => isMailDue(pool),
    sweep: () => sweepMails(pool),
    isReachable,
    metrics,
    log,
  });
  closers.push(() => mail.close());
  return createMailbox({ box: createSecretBox(secretKey), cell: settings.cell, nextId });
}

/** Builds the part for erasures: their routes, and the thread that carries them out. */
function composeErasures(parts: FeatureParts): Route[] {
  const { node, database, pool, isReachable } = parts;
  const { settings, metrics, log, closers } = node;
  const thread = superviseErasures({
    file: ownFile("workers/erasures.js"),
    workerData: {
      databaseUrl: database.url,
      archiveDir: settings.archiveDir,
      clickHouseUrl: settings.analyticsUrl,
    },
    countUnfinished: () => countUnfinishedErasures(pool),
    mayRun: () => isReachable() && clockOffsetMs() === 0,
    metrics,
    log,
  });
  closers.push(() => thread.close());
  return erasureRoutes({ ...parts, wake: thread.wake });
}
