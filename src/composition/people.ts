import { createPasswordChange } from "../features/accounts/change-password.js";
import { createPasswordCheck } from "../features/accounts/password-check.js";
import { createPasswordQueue } from "../features/accounts/password-queue.js";
import { supervisePasswords } from "../features/accounts/password-thread.js";
import { accountRoutes } from "../features/accounts/routes/account-routes.js";
import { createAccounts, type AccountSettings, type PasswordCheck } from "../features/accounts/service.js";
import { createSignInProof } from "../features/accounts/sign-in-proof.js";
import { createSignInFailures } from "../features/accounts/sign-in-failures.js";
import { apiKeyRoutes } from "../features/api-keys/routes.js";
import { createCodeCheck } from "../features/one-time-codes/code-check.js";
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
import { createSessionCheck } from "../path/access/sessions.js";
import type { Route } from "../path/front/route.js";
import { ownFile } from "../platform/node/own-files.js";
import { createSecretBox } from "../platform/node/secret-box.js";
import type { FeatureParts } from "./feature-parts.js";

/** Users, sessions, API keys, team and the platform's administrator. */
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
    // RATE-5: an AUTH_RATE_LIMIT_PER_MINUTE of 0 also turns off the limit on failed sign-ins.
    failures: createSignInFailures(authRateLimitPerMinute === 0 ? 0 : ACCESS_LIMITS.signInFailuresPerMinute),
    checkSession: createSessionCheck(pool, attempt),
    onRateLimited: metrics.rateLimited,
    now,
  });
}

/** ACC-27: the outbox of letters and the thread that sends them. Null without SMTP_URL. */
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
  return createMailbox({ box: createSecretBox(secretKey), nextId });
}
