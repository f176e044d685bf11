import {
  HEALTH_STATES,
  PAYMENT_METHODS,
  type HealthState,
  type PaymentMethod,
} from "../shared/vocabulary.js";
import { createValidator } from "./body-validator.js";
import { currencySchema } from "./decision-schema.js";

/** contract §3 PUT /v1/admin/provider-overrides/:provider; a null or absent method or currency stands for every one. */
export interface OverrideBody {
  state: HealthState | null;
  score?: number;
  payment_method?: PaymentMethod | null;
  currency?: string | null;
}

export const { parse: parseOverrideBody } = createValidator<OverrideBody>({
  type: "object",
  additionalProperties: false,
  required: ["state"],
  properties: {
    state: { type: ["string", "null"], enum: [...HEALTH_STATES, null] },
    score: { type: "number", minimum: 0, maximum: 100 },
    payment_method: { type: ["string", "null"], enum: [...PAYMENT_METHODS, null] },
    currency: { ...currencySchema, type: ["string", "null"] },
  },
});
