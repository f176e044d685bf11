import assert from "node:assert/strict";
import type { Pool } from "pg";
import { SMTPServer } from "smtp-server";
import { mailContext } from "../../../src/features/mail/queries/mail.js";
import { createSecretBox } from "../../../src/platform/node/secret-box.js";
import { WEBHOOK_SECRET_KEY } from "./webhooks.js";

/** A mail server in this process, and the letters that it received. */
export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  port: number;
  taken: Taken[];
  /** The recipients of letters that were refused. */
  refused: string[];
  /** Refuses the next recipient with this SMTP code. */
  refuseNext(code: number): void;
  close(): Promise<void>;
}

export interface Taken {
  to: string;
  /** The letter as it was received, with its headers. */
  text: string;
  messageId: string;
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const [taken, refused]: [Taken[], string[]] = [[], []];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo({ address }, _session, callback) {
      if (refusal === null) return callback();
      refused.push(address);
      const error = Object.assign(new Error("not now"), { responseCode: refusal });
      refusal = null;
      callback(error);
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        const messageId = /^message-id: (.*)$/im.exec(text)?.[1] ?? "";
        for (const { address } of session.envelope.rcptTo) taken.push({ to: address, text, messageId });
        callback();
      });
    },
  });
  server.on("error", () => undefined);
  const bound = await new Promise<number>((resolve, reject) => {
    const listening = server.listen(port, "127.0.0.1", () => {
      const address = listening.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    taken,
    refused,
    refuseNext: (code) => void (refusal = code),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The settings of a service that sends its letters to the mail server at `url`. */
export const mailSettings = (url: string): Readonly<Record<string, string>> => ({
  SMTP_URL: url,
  MAIL_FROM: "PayInference <pay@shop.example>",
  PUBLIC_URL: "https://pay.shop.example",
  SECRET_KEY: WEBHOOK_SECRET_KEY,
});

/** The link of a letter, as its recipient sees it. */
export function linkIn({ text }: Taken): URL {
  const flat = text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
  return new URL(/https:\/\/\S+/.exec(flat)?.[0] ?? assert.fail(text));
}

export const tokenIn = (letter: Taken): string =>
  new URLSearchParams(linkIn(letter).hash.slice(1)).get("token") ?? assert.fail(letter.text);

/** The token of the newest letter that waits for this address. */
export async function waitingToken(pool: Pool, recipient: string): Promise<string> {
  const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
    `select replace(mail_id::text, '-', '') as id, sealed from mails
     where recipient = $1 and status = 'waiting' order by mail_id desc limit 1`,
    [recipient],
  );
  const row = rows[0] ?? assert.fail("no letter waits");
  return createSecretBox(WEBHOOK_SECRET_KEY).open(row.sealed, mailContext(row.id)) ?? assert.fail("sealed");
}

/** The letters to an address, oldest first: the status of each, and whether its sealed content is still stored. */
export async function lettersOf(
  pool: Pool,
  recipient: string,
): Promise<{ status: string; sealed: boolean }[]> {
  const { rows } = await pool.query<{ status: string; sealed: boolean }>(
    "select status, sealed is not null as sealed from mails where recipient = $1 order by mail_id",
    [recipient],
  );
  return rows;
}

/** Makes every waiting letter due now. */
export async function makeDue(pool: Pool): Promise<void> {
  await pool.query("update mails set next_try_at = now() where status = 'waiting'");
}
