import type { ProviderId } from "../vocabulary/decision-request.js";
import type {
  CardNetwork,
  CustomerType,
  DecisionMode,
  HealthState,
  Mode,
  PaymentMethod,
  PreviousOutcome,
  ReportedRiskBand,
  RiskBand,
  TransactionType,
} from "../vocabulary/vocabulary.js";

/** The part of a health view that conditions need. HealthView in src/domain/health implements it. */
export interface HealthStates {
  find(provider: ProviderId, paymentMethod: string, currency: string): { readonly state: HealthState };
}

/**
 * Everything about one request that a rule's `when` can read (COND-4), with the request's defaults filled in.
 * `undefined` means that a field is absent. The object is flat and always has the same shape, because conditions read
 * it hundreds of times per decision. The request itself has many shapes, because its optional fields come and go.
 */
export interface PolicyFacts {
  readonly orderId: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly country: string;
  readonly paymentMethod: PaymentMethod;
  readonly cardNetwork: CardNetwork | undefined;
  readonly transactionType: TransactionType;
  readonly customerType: CustomerType | undefined;
  readonly riskLevel: ReportedRiskBand | undefined;
  readonly riskScore: number | undefined;
  readonly velocityCount10m: number | undefined;
  readonly velocityCount1h: number | undefined;
  readonly velocityAmount1h: number | undefined;
  readonly previousSuccessCount: number | undefined;
  readonly previousDeclineCount: number | undefined;
  readonly orderAgeSeconds: number | undefined;
  readonly deviceRiskBand: ReportedRiskBand | undefined;
  readonly ipCountryMatch: boolean | undefined;
  readonly merchantSuppliedRiskScore: number | undefined;
  readonly computedRiskScore: number;
  readonly riskBand: RiskBand;
  readonly hasPreviousAttempt: boolean;
  readonly previousProvider: ProviderId | undefined;
  readonly previousOutcome: PreviousOutcome | undefined;
  readonly previousReasonCode: string | undefined;
  readonly offeredProviders: readonly ProviderId[];
  readonly mode: Mode;
  readonly decisionMode: DecisionMode;
  /** Unix milliseconds. hour_utc and weekday_utc are computed from it. */
  readonly nowMs: number;
  readonly health: HealthStates;
}
