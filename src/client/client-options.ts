import type { DecisionRequest } from "../domain/vocabulary/decision-request.js";
import type { Mode } from "../domain/vocabulary/vocabulary.js";
import { CLIENT_LIMITS } from "./client-limits.js";
import { routeInOrder, type SafeDefault } from "./fallback-decision.js";

export interface ClientOptions {
  /** Of the service, for example `https://decisions.example.com`. */
  baseUrl: string;
  /** `pi_test_…` or `pi_live_…`. It stays on the server: the client refuses to run in a browser. */
  apiKey: string;
  /** Hard timeout of a decision, 50 to 250 ms; 150 when left out. */
  decisionTimeoutMs?: number;
  /** Timeout of one attempt of anything else, 100 to 120000 ms; 10000 when left out. */
  requestTimeoutMs?: number;
  /** How often GETs and outcome reports are tried again after a network error, 0 to 10; 3 when left out. */
  retries?: number;
  /**
   * True: a 429 is an outage like a time-out, and `decide` answers with the safe default. False when left out: it is the
   * service's refusal. A checkout sets it, for a customer cannot wait for the next minute.
   */
  rateLimitIsOutage?: boolean;
  /** What to do while no decision can be had; when left out, the available providers in the order offered. What it throws, `decide` throws. */
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

/** Throws Error in a browser, TypeError for a URL or key that cannot be one, RangeError for a number out of bounds. */
export function readOptions(options: ClientOptions): ClientSettings {
  refuseBrowser();
  const { safeDefault = routeInOrder, rateLimitIsOutage = false } = options;
  const [, mode] = API_KEY.exec(options.apiKey) ?? [];
  // What is wrong with a key is not said with the key.
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

/** AUTH-5: the browser must never call the service. Pages have a document, web workers their scope. */
function refuseBrowser(): void {
  if ("document" in globalThis || "WorkerGlobalScope" in globalThis) {
    throw new Error("The PayInference client runs on a server: in a browser, anybody could read its API key");
  }
}
