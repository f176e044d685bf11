/** EVT-3: the types that an endpoint can subscribe to. */
export const EVENT_TYPES = [
  "alert.opened",
  "alert.closed",
  "decision.held",
  "decision.reviewed",
  "policy.published",
  "experiment.changed",
  "export.ready",
  "key.created",
  "key.revoked",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** EVT-6: the type of a test event. No endpoint can subscribe to it. */
export const TEST_EVENT = "endpoint.test";

/** EVT-9: `standard` is Standard Webhooks, and `slack` is the format of Slack's incoming webhooks. */
export const EVENT_FORMATS = ["standard", "slack"] as const;
export type EventFormat = (typeof EVENT_FORMATS)[number];

/** EVT-8: a person set `disabled`; failed deliveries set `failed`. */
export const EVENT_ENDPOINT_STATUSES = ["enabled", "disabled", "failed"] as const;
export type EventEndpointStatus = (typeof EVENT_ENDPOINT_STATUSES)[number];

/** The reasons why an attempt got no answer. */
export const DELIVERY_ERRORS = [
  /** The host name has no address. */
  "unresolved",
  /** EVT-10: the address is private. */
  "private_address",
  "timeout",
  /** The connection was refused or reset, or its certificate is not valid. */
  "connection",
  /** The node's SECRET_KEY does not decrypt the endpoint's secret. */
  "secret",
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** EVT-11: the states of a delivery. */
export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
