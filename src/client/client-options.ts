import type { DecisionRequest } from "../domain/vocabulary/decision-request.js";
import type { Mode } from "../domain/vocabulary/vocabulary.js";
import { CLIENT_LIMITS } from "./client-limits.js";
import { routeInOrder, type SafeDefault } from "./fallback-decision.js";

export interface ClientOptions {
  /** The address of the service, for example `https://decisions.example.com`. */
  baseUrl: string;
  /** `pi_test_…` or `pi_live_…`. Keep it on the server: the client refuses to run in a browser. */
  apiKey: string;
  /** The hard timeout of a decision: 50 to 250 ms. The default is 150 ms. */
  decisionTimeoutMs?: number;
  /** The timeout of one attempt of any other request: 100 to 120000 ms. The default is 10000 ms. */
  requestTimeoutMs?: number;
  /** The number of retries of GETs and outcome reports after a network error: 0 to 10. The default is 3. */
  retries?: number;
  /**
   * True: a 429 counts as an outage, like a timeout, and `decide` answers with the safe default. False, the default: a
   * 429 is a refusal by the service. Set it to true for a checkout, because a customer cannot wait for the next minute.
   */
  rateLimitIsOutage?: boolean;
  /**
   * The instruction to use while the service gives no decision. The default routes to the request's first provider,
   * with the second as fallback. A provider that has just failed comes last. If the function throws an error, `decide`
   * throws it.
   */
  safeDefault?: SafeDefault | ((request: DecisionRequest) => SafeDefault);
}

export interface ClientSettings {
  baseUrl: URL;
  apiKey: string;
  mode: Mode;
  decisionTimeoutMs: number;
  requestTimeoutMs: number;
  retries: number;
  rateLimitIsOutage: boolean;
  safeDefault(request: DecisionRequest): SafeDefault;
}

const API_KEY = /^pi_(test|live)_[\x21-\x7e]+$/;

/** Throws Error in a browser, TypeError for an invalid URL or key, and RangeError for a number out of bounds. */
export function readOptions(options: ClientOptions): ClientSettings {
  refuseBrowser();
  const { safeDefault = routeInOrder, rateLimitIsOutage = false } = options;
  const [, mode] = API_KEY.exec(options.apiKey) ?? [];
  // The message says what is wrong, but does not quote the key.
  if (mode === undefined) throw new TypeError("apiKey must be a pi_test_ or pi_live_ key");
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    mode: mode as Mode,
    decisionTimeoutMs: within("decisionTimeoutMs", options.decisionTimeoutMs, {
      min: CLIENT_LIMITS.decisionTimeoutMsMin,
      max: CLIENT_LIMITS.decisionTimeoutMsMax,
      ifAbsent: CLIENT_LIMITS.decisionTimeoutMsDefault,
    }),
    requestTimeoutMs: within("requestTimeoutMs", options.requestTimeoutMs, {
      min: CLIENT_LIMITS.requestTimeoutMsMin,
      max: CLIENT_LIMITS.requestTimeoutMsMax,
      ifAbsent: CLIENT_LIMITS.requestTimeoutMsDefault,
    }),
    retries: within("retries", options.retries, {
      min: 0,
      max: CLIENT_LIMITS.retriesMax,
      ifAbsent: CLIENT_LIMITS.retriesDefault,
    }),
    rateLimitIsOutage,
    safeDefault: typeof safeDefault === "function" ? safeDefault : () => safeDefault,
  };
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUsable =
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.username + url.password + url.search + url.hash === "";
  if (!isUsable) throw new TypeError("baseUrl must be an http or https URL without credentials or query");
  return url;
}

function within(
  name: string,
  value: number | undefined,
  { min, max, ifAbsent }: { min: number; max: number; ifAbsent: number },
): number {
  if (value === undefined) return ifAbsent;
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** AUTH-5: throws in a browser. Pages have a `document`, and web workers have their own global scope. */
function refuseBrowser(): void {
  if ("document" in globalThis || "WorkerGlobalScope" in globalThis) {
    throw new Error("The PayInference client runs on a server: in a browser, anybody could read its API key");
  }
}
