import "../src/platform/threads/navigator.js";
import { parentPort, workerData } from "node:worker_threads";
import { createTransport } from "nodemailer";
import { MAIL_TUNING } from "../src/features/mail/queries/mail-tuning.js";
import { MailSender } from "../src/features/mail/sender/mail-sender.js";
import type { MailCommand, MailReport, MailWorkerData } from "../src/features/mail/sender/messages.js";
import { createSecretBox } from "../src/platform/node/secret-box.js";
import { createPool } from "../src/platform/postgres/pool.js";
import { refusalOf } from "../src/platform/postgres/sql-state.js";
import { runThreadInBackground } from "../src/platform/threads/background.js";

runThreadInBackground();
const { databaseUrl, statementTimeoutMs, secretKey, smtpUrl, from, publicUrl } = workerData as MailWorkerData;
const pool = createPool({
  connectionString: databaseUrl,
  connectionsMax: MAIL_TUNING.connectionsMax,
  statementTimeoutMs,
  connectionTimeoutMs: statementTimeoutMs,
  applicationName: "payinference-mail",
});
const transport = createTransport({
  url: smtpUrl,
  connectionTimeout: MAIL_TUNING.stepTimeoutMs,
  greetingTimeout: MAIL_TUNING.stepTimeoutMs,
  socketTimeout: MAIL_TUNING.stepTimeoutMs,
  disableFileAccess: true,
  disableUrlAccess: true,
});
const host = new URL(publicUrl).hostname;
const sender = new MailSender({
  pool,
  box: createSecretBox(secretKey),
  publicUrl,
  async deliver({ to, subject, text, messageId }) {
    await transport.sendMail({
      from,
      to: { name: "", address: to },
      subject,
      text,
      messageId: `<${messageId}@${host}>`,
      headers: { "auto-submitted": "auto-generated" },
    });
  },
  onError(of, error) {
    const code = of === "postgres" ? refusalOf(error) : codeOf(error);
    parentPort?.postMessage({ type: "failed", of, code } satisfies MailReport);
  },
});

/**
 * The mail server's status code, or else the library's code. The server's text is left out, because it may contain an
 * address.
 */
function codeOf(error: unknown): string | null {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === "number") return String(responseCode);
  return typeof code === "string" ? code : null;
}

parentPort?.on("message", (command: MailCommand) => {
  if (command.type === "look") return void sender.look();
  void sender.stop().finally(() => process.exit());
});
