import type {
  CardNetwork,
  CustomerType,
  DecisionMode,
  PaymentMethod,
  PreviousOutcome,
  ReportedRiskBand,
  TransactionType,
} from "./vocabulary.js";

/** A provider id as configured in PROVIDERS, lower snake_case. */
export type ProviderId = string;

/** REQ-1, `transaction`. Amounts are in minor units. */
export interface Transaction {
  amount: number;
  currency: string;
  country: string;
  payment_method: PaymentMethod;
  card_network?: CardNetwork;
  transaction_type?: TransactionType;
  customer_type?: CustomerType;
  risk_level?: ReportedRiskBand;
  /** 0 to 100. */
  risk_score?: number;
}

export interface PreviousAttempt {
  provider: ProviderId;
  outcome: PreviousOutcome;
  provider_reason_code?: string;
}

/** Aggregates without sensitive data. Counts are at least 0, and velocity_amount_1h is in minor units. */
export interface RiskSignals {
  velocity_count_10m?: number;
  velocity_count_1h?: number;
  velocity_amount_1h?: number;
  previous_success_count?: number;
  previous_decline_count?: number;
  order_age_seconds?: number;
  device_risk_band?: ReportedRiskBand;
  ip_country_match?: boolean;
  /** 0 to 100. */
  merchant_supplied_risk_score?: number;
}

/** A validated body of POST /v1/decision. The schema in src/path/wire is checked against this type at compile time. */
export interface DecisionRequest {
  merchant_id: string;
  order_id: string;
  transaction: Transaction;
  available_providers: ProviderId[];
  previous_attempt?: PreviousAttempt;
  risk_signals?: RiskSignals;
  decision_mode?: DecisionMode;
}
