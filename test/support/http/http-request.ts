import { request as requestPlain, type Agent } from "node:http";
import { request as requestTls } from "node:https";

export interface HttpRequest {
  /** The whole address. */
  url: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  agent?: Agent;
  /** Sent as JSON. */
  body?: unknown;
}

export interface HttpReply {
  status: number;
  text: string;
  /** True when the answer repeats a stored first response. */
  replayed: boolean;
}

/**
 * Sends one request. Resolves to the answer, or to one word for the reason why there is none (`ECONNREFUSED` if nobody
 * listened). Never rejects.
 */
export function attemptRequest({
  url,
  method = "POST",
  headers = {},
  agent,
  body,
}: HttpRequest): Promise<HttpReply | string> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const request = url.startsWith("https:") ? requestTls : requestPlain;
  return new Promise((resolve) => {
    const sent = request(url, {
      method,
      ...(agent === undefined ? {} : { agent }),
      headers: {
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        ...headers,
      },
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      // A peer that dies before the end of the body has not answered.
      response.on("close", () => {
        if (!response.complete) return resolve("incomplete answer");
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          replayed: response.headers["idempotency-replayed"] === "true",
        });
      });
    });
    sent.end(text);
  });
}
