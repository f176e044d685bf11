import type { DecisionRequest } from "../domain/vocabulary/decision-request.js";
import { readAnswer } from "./answer.js";
import { readOptions, type ClientOptions, type ClientSettings } from "./client-options.js";
import { openConnection, type Connection, type Received } from "./connection.js";
import { decide, type DecideOptions, type DecideResult } from "./decide.js";
import { walkDecisionLog, type DecisionLogQuery } from "./decision-log.js";
import type { Answer, LivePolicyGuard, TaggedAnswer } from "./problem.js";
import { withRetries } from "./retry.js";
import type {
  CreatedPolicy,
  DecisionAggregate,
  DecisionDetail,
  DecisionListQuery,
  DecisionListRow,
  DecisionPage,
  NewPolicy,
  OutcomeReceipt,
  OutcomeReport,
  PolicyList,
  ProviderHealthList,
  PublishedPolicy,
  Replay,
  PolicyTemplateList,
  RetryRuleList,
  ShadowReport,
  Simulation,
  SimulationRequest,
  Translation,
  TranslationRequest,
} from "./wire-types.js";

interface CallOptions extends LivePolicyGuard {
  body?: object;
  retries?: number;
}

/**
 * The PayInference API for a merchant's backend. Only `decisions` and wrong arguments throw. Errors of the service and
 * outages are returned as values. Create one instance per process, so that it reuses its connections.
 */
export class PayInferenceClient {
  readonly #settings: ClientSettings;
  readonly #connection: Connection;
  readonly #headers: Readonly<Record<string, string>>;

  /** Throws RangeError for a number out of bounds, TypeError for an invalid URL or key, and Error in a browser. */
  constructor(options: ClientOptions) {
    this.#settings = readOptions(options);
    this.#connection = openConnection(this.#settings.baseUrl);
    this.#headers = { "x-api-key": this.#settings.apiKey, accept: "application/json" };
  }

  /**
   * POST /v1/decision within the hard timeout. During an outage it returns a local decision. It never repeats a request
   * that was answered.
   */
  decide(request: DecisionRequest, options: DecideOptions = {}): Promise<DecideResult> {
    return decide(this.#settings, this.#connection, this.#headers, request, options);
  }

  /**
   * POST /v1/outcomes. It is retried after network errors, which is safe because a report replaces the previous one.
   */
  reportOutcome(report: OutcomeReport): Promise<Answer<OutcomeReceipt>> {
    return this.#call("POST", "/v1/outcomes", { body: report, retries: this.#settings.retries });
  }

  /**
   * GET /v1/provider-health. With `detail` it also returns the deeper levels, and separate figures for outcomes and for
   * probes.
   */
  providerHealth(query: { detail?: "segments" } = {}): Promise<Answer<ProviderHealthList>> {
    return this.#get(`/v1/provider-health${queryText({ ...query })}`);
  }

  /** GET /v1/decisions returns one page. */
  listDecisions(query: DecisionListQuery = {}): Promise<Answer<DecisionPage>> {
    return this.#get(`/v1/decisions${queryText({ ...query })}`);
  }

  /** Streams the decision log, newest first: `for await (const row of client.decisions({ action: "hold" }))`. */
  decisions(query: DecisionLogQuery = {}): AsyncGenerator<DecisionListRow, void, undefined> {
    return walkDecisionLog((page) => this.listDecisions(page), query);
  }

  /** GET /v1/decisions/:decisionId */
  decision(decisionId: string): Promise<Answer<DecisionDetail>> {
    return this.#get(`/v1/decisions/${encodeURIComponent(decisionId)}`);
  }

  /** GET /v1/decisions/aggregate */
  aggregate(): Promise<Answer<DecisionAggregate>> {
    return this.#get("/v1/decisions/aggregate");
  }

  /** GET /v1/decisions/shadow-report. `days` is 1 to 90, and 30 by default. */
  shadowReport(query: { days?: number } = {}): Promise<Answer<ShadowReport>> {
    return this.#get(`/v1/decisions/shadow-report${queryText(query)}`);
  }

  /**
   * POST /v1/decisions/:decisionId/replay makes the decision again from its recorded input and shows the differences.
   */
  replayDecision(decisionId: string): Promise<Answer<Replay>> {
    return this.#call("POST", `/v1/decisions/${encodeURIComponent(decisionId)}/replay`);
  }

  /** GET /v1/policies/:merchantId returns the newest versions and the live version, the newest first. */
  policies(merchantId: string): Promise<TaggedAnswer<PolicyList>> {
    const path = `/v1/policies/${encodeURIComponent(merchantId)}`;
    return this.#callTagged("GET", path, { retries: this.#settings.retries });
  }

  /** POST /v1/policies stores a draft, or with `publish` the merchant's live policy. */
  createPolicy(policy: NewPolicy, guard: LivePolicyGuard = {}): Promise<TaggedAnswer<CreatedPolicy>> {
    return this.#callTagged("POST", "/v1/policies", { body: policy, ...guard });
  }

  /** POST /v1/policies/:policyId/publish makes a draft or an archived version the live policy. */
  publishPolicy(policyId: string, guard: LivePolicyGuard = {}): Promise<TaggedAnswer<PublishedPolicy>> {
    return this.#callTagged("POST", `/v1/policies/${encodeURIComponent(policyId)}/publish`, guard);
  }

  /** POST /v1/policies/translate turns plain English into a draft. Nothing is stored. */
  translatePolicy(request: TranslationRequest): Promise<Answer<Translation>> {
    return this.#call("POST", "/v1/policies/translate", { body: request });
  }

  /** POST /v1/policies/simulate shows the decision that a sample request would get. Nothing is stored. */
  simulatePolicy(request: SimulationRequest): Promise<Answer<Simulation>> {
    return this.#call("POST", "/v1/policies/simulate", { body: request });
  }

  /** GET /v1/retry-rules returns all of the card schemes' rules on retries. */
  retryRules(): Promise<Answer<RetryRuleList>> {
    return this.#get("/v1/retry-rules");
  }

  /** GET /v1/policy-templates returns all templates of policies. */
  policyTemplates(): Promise<Answer<PolicyTemplateList>> {
    return this.#get("/v1/policy-templates");
  }

  /** Closes the connections. Running requests end as unreachable. */
  close(): void {
    this.#connection.close();
  }

  #get<T>(path: string): Promise<Answer<T>> {
    return this.#call("GET", path, { retries: this.#settings.retries });
  }

  async #call<T>(method: "GET" | "POST", path: string, options?: CallOptions): Promise<Answer<T>> {
    return readAnswer<T>(await this.#send(method, path, options));
  }

  async #callTagged<T>(method: "GET" | "POST", path: string, options: CallOptions): Promise<TaggedAnswer<T>> {
    const received = await this.#send(method, path, options);
    const answer = readAnswer<T>(received);
    return answer.ok ? { ...answer, etag: received.kind === "answer" ? received.etag : null } : answer;
  }

  #send(
    method: "GET" | "POST",
    path: string,
    { body, retries = 0, ifMatch }: CallOptions = {},
  ): Promise<Received> {
    const sent = {
      method,
      path,
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      timeoutMs: this.#settings.requestTimeoutMs,
    };
    return withRetries(retries, () => this.#connection.send(sent));
  }
}

/** Returns `?name=value&…` for the given parameters, or '' if there are none. */
function queryText(query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

export { PayInferenceError } from "./problem.js";
export type * from "./problem.js";
export type { ClientOptions } from "./client-options.js";
export type { DecideOptions, DecideResult } from "./decide.js";
export type { DecisionLogQuery } from "./decision-log.js";
export type { SafeDefault } from "./fallback-decision.js";
export type * from "./local-decision.js";
export type * from "./score-components.js";
export type * from "./wire-types.js";
export type * from "../domain/vocabulary/decision-request.js";
export type { Conditions, RuleAction } from "../domain/policy/policy.js";
