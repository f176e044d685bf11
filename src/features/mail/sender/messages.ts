/** The data that the thread is started with. */
export interface MailWorkerData {
  databaseUrl: string;
  statementTimeoutMs: number;
  secretKey: string;
  /** SMTP_URL */
  smtpUrl: string;
  /** MAIL_FROM */
  from: string;
  /** PUBLIC_URL */
  publicUrl: string;
}

/** `look`: something may be due. */
export type MailCommand = { type: "look" } | { type: "stop" };

/** PostgreSQL or the mail server failed. Messages and addresses are left out. */
export interface MailReport {
  type: "failed";
  /** For `postgres`, `code` is an SQLSTATE. For `smtp`, it names the failure, such as by a code of the mail server. */
  of: "smtp" | "postgres";
  code: string | null;
}
