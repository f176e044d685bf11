import type { Pool } from "pg";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { SecretBox } from "../../../platform/node/secret-box.js";
import { endpointSecretContext } from "../endpoint-secret.js";
import {
  nextDelivery,
  noteDelivered,
  noteFailed,
  postponeFollowers,
  type DueDelivery,
} from "../queries/due.js";
import type { EndpointKey } from "../queries/delivery.js";
import { tellNextPage } from "../queries/fan-out.js";
import { dropOwnLeases, endLease, leaseEndpoints, type LeasedEndpoint } from "../queries/lease.js";
import { postEvent, type Attempt, type PostOptions } from "./post-event.js";
import { pauseAfter } from "./retry-pauses.js";
import { signedHeaders } from "./sign-event.js";
import { slackBody } from "./slack-text.js";

export interface EventSenderOptions extends PostOptions {
  pool: Pool;
  nodeId: string;
  box: SecretBox;
  /** Unix milliseconds. */
  now(): number;
  onError(error: unknown): void;
}

/**
 * EVT-7: sends due deliveries. Each endpoint has at most one request in progress, in a slot of its own, so a hanging
 * endpoint delays only itself. Failing endpoints may not use all slots, so they delay no others.
 */
export class EventSender {
  /** The endpoints that are served now. Each entry says whether the endpoint was failing. */
  readonly #serving = new Map<string, { failing: boolean; done: Promise<void> }>();
  #looking: Promise<void> | null = null;
  /** Where the last walk past failing endpoints stopped, and the last one past the others. */
  readonly #lookedTo = new Map<boolean, EndpointKey | null>();
  #isStopped = false;
  #hasBegun = false;

  constructor(private readonly options: EventSenderOptions) {}

  /** Looks for endpoints with due deliveries and begins to serve them. Simultaneous calls share one look. */
  look(): Promise<void> {
    this.#looking ??= this.#tell()
      // Due deliveries leave even if an event cannot be distributed.
      .catch(this.options.onError)
      .then(() => this.#lease())
      .catch(this.options.onError)
      .finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    await this.#looking;
    await Promise.all(Array.from(this.#serving.values(), ({ done }) => done));
  }

  /** Begins no further delivery. The node that leases the endpoint next repeats a delivery that was in progress. */
  stop(): void {
    this.#isStopped = true;
  }

  /** EVT-15: adds the events for every workspace to the endpoints' deliveries, page by page. */
  async #tell(): Promise<void> {
    // Pages run in sequence, because each page begins where the previous one stored its position.
    while (!this.#isStopped && (await tellNextPage(this.options.pool)));
  }

  async #lease(): Promise<void> {
    if (this.#isStopped) return;
    const { pool, nodeId } = this.options;
    if (!this.#hasBegun) await dropOwnLeases(pool, nodeId);
    this.#hasBegun = true;
    for (const failing of [false, true]) {
      const endpointsMax = this.#freeSlots(failing);
      if (endpointsMax <= 0) continue;
      const after = this.#lookedTo.get(failing) ?? null;
      const { endpoints, lookedTo } = await leaseEndpoints(pool, { nodeId, failing, endpointsMax, after });
      this.#lookedTo.set(failing, lookedTo);
      for (const endpoint of endpoints) {
        const { endpointId } = endpoint;
        const done = this.#serve(endpoint)
          .catch(this.options.onError)
          .finally(() => this.#serving.delete(endpointId));
        this.#serving.set(endpointId, { failing, done });
      }
    }
  }

  #freeSlots(failing: boolean): number {
    const free = TUNING.eventEndpointsAtOnceMax - this.#serving.size;
    if (!failing) return free;
    const served = Array.from(this.#serving.values()).filter((one) => one.failing).length;
    return Math.min(free, TUNING.eventFailingAtOnceMax - served);
  }

  /** Sends deliveries in sequence until none is due, one fails, or the endpoint's turn is over. */
  async #serve(endpoint: LeasedEndpoint): Promise<void> {
    const { pool, nodeId } = this.options;
    for (let turn = 0; turn < TUNING.eventDeliveriesPerTurnMax && !this.#isStopped; turn++) {
      const due = await nextDelivery(pool, endpoint, nodeId);
      if (due === null) {
        await postponeFollowers(pool, endpoint);
        break;
      }
      if (!(await this.#deliver(endpoint, due))) break;
    }
    await endLease(pool, endpoint, nodeId);
  }

  /** Returns whether the endpoint accepted the delivery. */
  async #deliver(endpoint: LeasedEndpoint, due: DueDelivery): Promise<boolean> {
    const { pool } = this.options;
    const { workspaceId, endpointId } = endpoint;
    const tried = { workspaceId, endpointId, deliveryId: due.deliveryId };
    const { status, error } = await this.#attempt(endpoint, due);
    if (status !== null && status >= 200 && status < 300) {
      await noteDelivered(pool, tried, status);
      return true;
    }
    await noteFailed(pool, tried, { status, error, pauseSeconds: pauseAfter(due.attempts) });
    return false;
  }

  #attempt(
    { workspaceId, endpointId, url, format, sealed }: LeasedEndpoint,
    due: DueDelivery,
  ): Promise<Attempt> {
    const { box, now } = this.options;
    const secret = box.open(sealed, endpointSecretContext(workspaceId, endpointId));
    if (secret === null) return Promise.resolve({ status: null, error: "secret" });
    const body = format === "slack" ? slackBody(due.body) : due.body;
    const headers = signedHeaders({ eventId: due.eventId, body, secret }, now());
    return postEvent({ url, headers, body }, this.options);
  }
}
