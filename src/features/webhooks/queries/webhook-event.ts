import { idToHex } from "../../../domain/ids/ids.js";
import { incidentValues, STORE_INCIDENT, type IncidentReport } from "./incident.js";
import {
  CARD_NETWORKS,
  PAYMENT_METHODS,
  type CardNetwork,
  type PaymentMethod,
} from "../../../domain/vocabulary/vocabulary.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

/** A fee that a provider reported. Amounts are in minor units. */
export interface ReportedFee {
  paymentMethod: PaymentMethod;
  cardNetwork: CardNetwork | null;
  country: string | null;
  currency: string;
  amountMinor: number;
  feeMinor: number;
}

export interface WebhookEvent {
  workspaceId: string;
  merchantId: string;
  provider: string;
  webhookId: string;
  type: string;
  /** Unix milliseconds. */
  occurredAtMs: number;
  receivedAtMs: number;
  /** JSON text, or null for an unknown type. */
  data: string | null;
  /** The reported fee with the 26 characters of a new id, or null if the event has no fee. */
  fee: (ReportedFee & { feeId: string }) | null;
  /** The event's report on an incident, or null when it has none. */
  incident: IncidentReport | null;
}

/**
 * Stores an event with its fee and incident, all in one statement. Returns false, and stores nothing, if the event's id
 * was seen before.
 */
export async function insertWebhookEvent(db: TenantConnection, event: WebhookEvent): Promise<boolean> {
  const { fee, incident } = event;
  const { rowCount } = await db.query(
    `with stored as (
       insert into webhook_events (workspace_id, merchant_id, provider, webhook_id, type, occurred_at, received_at, data)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1
     ), fees as (
       insert into observed_fees (workspace_id, merchant_id, fee_id, provider, payment_method, card_network, country,
                                  currency, amount_minor, fee_minor)
       select $1, $2, $9::uuid, $3, $10::smallint, $11::smallint, $12::text, $13::text, $14::bigint, $15::bigint
       from stored where $9::uuid is not null
     ), ${STORE_INCIDENT}
     select from stored`,
    [
      idToHex(event.workspaceId),
      event.merchantId,
      event.provider,
      event.webhookId,
      event.type,
      new Date(event.occurredAtMs),
      new Date(event.receivedAtMs),
      event.data,
      fee === null ? null : idToHex(fee.feeId),
      fee === null ? null : PAYMENT_METHODS.indexOf(fee.paymentMethod),
      fee === null || fee.cardNetwork === null ? null : CARD_NETWORKS.indexOf(fee.cardNetwork),
      fee?.country ?? null,
      fee?.currency ?? null,
      fee?.amountMinor ?? null,
      fee?.feeMinor ?? null,
      ...incidentValues(incident),
    ],
  );
  return rowCount === 1;
}
