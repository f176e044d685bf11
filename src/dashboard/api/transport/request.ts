import type { AnsweredProblem } from "../../../client/problem.js";
import type { PolicyIssue, ValidationIssue } from "../../../client/wire-types.js";
import { answered, keyOf } from "./idempotency-key.js";
import { ProblemError } from "./problem.js";

type QueryValue = string | number | boolean | undefined;

interface RequestOptions {
  /** Parameters that are undefined are left out. */
  query?: Readonly<Record<string, QueryValue>>;
  body?: object;
  /** The `etag` of an answer of `requestTagged`. */
  ifMatch?: string;
  /** This key authenticates the request, in place of the session. */
  apiKey?: string;
  signal?: AbortSignal;
}

/** The service answers every read within 3 s, even if only with an error. After 10 s the page stops waiting. */
const READ_TIMEOUT_MS = 10_000;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Sends one request to the service that this page came from. The browser adds the session's cookie. For a change it
 * also adds the proof that the request comes from this origin (AUTH-4: `sec-fetch-site` or `origin`), which no script
 * can set. Rejects with a ProblemError, or with the browser's AbortError if `signal` aborts.
 */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  return read<T>(await send(method, path, method === "GET" ? withTimeout(options) : options));
}

export interface Tagged<T> {
  answer: T;
  etag: string;
}

/** Sends a request whose answer has an `etag`. A later change passes it as `ifMatch`. */
export async function requestTagged<T>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Tagged<T>> {
  const sent = await send(method, path, method === "GET" ? withTimeout(options) : options);
  // A proxy that compresses an answer weakens its tag, but If-Match needs a strong one.
  const etag = sent.response.headers.get("etag")?.replace(/^W\//, "");
  // Without the tag, a change could apply to a later version.
  if (etag === undefined) throw new ProblemError({ kind: "malformed_answer", message: "No etag" });
  return { answer: await read<T>(sent), etag };
}

/**
 * Reads the answer. If it breaks off, the change counts as unanswered, so that a repetition has the same key and gets
 * the same answer. The lost answer may contain something that is shown only once.
 */
async function read<T>({ response, change }: Sent): Promise<T> {
  const answer: unknown =
    response.status === 204
      ? undefined
      : await response.json().catch((error: unknown) => {
          throwIfEnded(error);
          return null;
        });
  if (answer === null) throw new ProblemError({ kind: "malformed_answer", message: "Not JSON" });
  if (change !== null) answered(change);
  return answer as T;
}

/** Sends a request whose answer is streamed. Resolves once the head of a successful answer has arrived. */
export async function open(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  const { response, change } = await send(method, path, options);
  if (change !== null) answered(change);
  return response;
}

interface Sent {
  /** A response with a successful status. */
  response: Response;
  /** The text that identifies the change until it is answered. Null for a read. */
  change: string | null;
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Sent> {
  const { ifMatch, apiKey, signal } = options;
  const address = path + queryText(options.query ?? {});
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const change = method === "GET" ? null : `${method} ${address} ${ifMatch ?? ""}\n${body ?? ""}`;
  const response = await fetch(address, {
    method,
    credentials: apiKey === undefined ? "same-origin" : "omit",
    mode: "same-origin",
    redirect: "error",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      ...(change === null ? {} : { "idempotency-key": keyOf(change) }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throwIfEnded(error);
    throw new ProblemError({ kind: "unreachable", message: "No answer" });
  });
  if (response.ok) return { response, change };
  // After a 5xx nobody knows whether the change was made.
  if (change !== null && response.status < 500) answered(change);
  throw new ProblemError(problemOf(response, await response.json().catch(() => null)));
}

function withTimeout({ signal, ...options }: RequestOptions): RequestOptions {
  const timeout = AbortSignal.timeout(READ_TIMEOUT_MS);
  return { ...options, signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) };
}

function throwIfEnded(error: unknown): void {
  if (!(error instanceof DOMException)) return;
  // react-query must see its own cancellation.
  if (error.name === "AbortError") throw error;
  if (error.name === "TimeoutError")
    throw new ProblemError({ kind: "timeout", message: "No answer in time" });
}

function queryText(query: Readonly<Record<string, QueryValue>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

/** ERR-3: the fields that the body of a failure may have. */
interface ErrorBody {
  error?: string;
  message?: string;
  code?: string;
  issues?: unknown;
  limit_per_minute?: number;
}

function problemOf(response: Response, answer: unknown): AnsweredProblem {
  const { status } = response;
  const answered = { status, requestId: response.headers.get("x-request-id") };
  const body: ErrorBody = typeof answer === "object" && answer !== null ? answer : {};
  if (body.error === "validation_error")
    return { ...answered, kind: body.error, issues: (body.issues ?? []) as ValidationIssue[] };
  if (body.error === "policy_validation_failed")
    return { ...answered, kind: body.error, issues: (body.issues ?? []) as PolicyIssue[] };
  if (body.error === "rate_limited")
    return { ...answered, kind: body.error, limitPerMinute: body.limit_per_minute ?? 0 };
  const message = body.message ?? `The service answered ${status}`;
  if (status >= 500) return { ...answered, kind: "server_error", message };
  return {
    ...answered,
    kind: "http_error",
    message,
    ...(body.code === undefined ? {} : { code: body.code }),
  };
}
