import type { PolicyIssue } from "../../../client/problem.js";
import type { CardNetwork, PaymentMethod } from "../../../domain/vocabulary/vocabulary.js";

/** Pricing: bodies as the service sends and takes them; amounts in minor units, times ISO 8601. */

interface PricingTier {
  amount_gte: number;
  percentage_bps: number;
  fixed_minor: number;
}

export interface PricingRule {
  provider: string;
  payment_method: PaymentMethod;
  card_network?: CardNetwork;
  country?: string;
  currency: string;
  percentage_bps: number;
  fixed_minor: number;
  min_fee_minor?: number;
  max_fee_minor?: number;
  tiers?: PricingTier[];
}

export interface PricingContract {
  contract_id: string;
  contract_name: string;
  version: string;
  status: string;
  effective_from: string;
  effective_to: string | null;
  replace: boolean;
  rules_stored: number;
  created_at: string;
  rules: PricingRule[];
}

/** A price fitted to the fees that a provider reported. */
export interface ObservedPrice extends Omit<PricingRule, "min_fee_minor" | "max_fee_minor" | "tiers"> {
  sample_size: number;
  median_error_bps: number;
  counts_as_pricing: boolean;
}

/** GET /v1/pricing/rules/:merchantId */
export interface MerchantPricing {
  merchant_id: string;
  contracts: PricingContract[];
  observed: ObservedPrice[];
}

/** POST /v1/pricing/rules; the service judges the rules, so they may be anything here. */
export interface ContractUpload {
  merchant_id: string;
  contract_name: string;
  effective_from: string;
  effective_to?: string;
  replace: boolean;
  rules: readonly unknown[];
}

export interface UploadedContract {
  contract_id: string;
  merchant_id: string;
  rules_stored: number;
  effective_from: string;
  effective_to: string | null;
  warnings: PolicyIssue[];
}
