import type { DecisionFilter } from "../../../domain/vocabulary/decision-scope.js";
import { NO_VALUE, storedFacet } from "../../../domain/vocabulary/facets.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import type { Query } from "../../../platform/http/query.js";
import type { Parameter } from "../../../platform/wire/operation.js";
import { merchantIdSchema } from "../../../platform/wire/scalars.js";

/** The schema has a pattern and no list of codes, because a stored currency may have been withdrawn since. */
const currency = { type: "string", minLength: 3, maxLength: 3, pattern: "^[A-Z]*$" } as const;
const country = { type: "string", minLength: 1, maxLength: 2, pattern: "^(?:[A-Z][A-Z]|-)$" } as const;
const paymentMethod = { type: "string", enum: PAYMENT_METHODS } as const;
const cardNetwork = { type: "string", enum: [...CARD_NETWORKS, NO_VALUE] } as const;
/** The schema has no list of providers, because a stored provider may no longer be configured. */
const provider = { type: "string", minLength: 1, maxLength: 64, pattern: "^(?:[a-z0-9_]+|-)$" } as const;

/** LOG-29 */
const NONE = `${NO_VALUE} keeps decisions without one.`;

/** LOG-19, LOG-21: the filters by properties of a decision. */
export const facetParameters = {
  merchant_id: { schema: merchantIdSchema, description: "Only this merchant." },
  currency: { schema: currency, description: "Only this currency: ISO 4217." },
  country: { schema: country, description: `Only this country: ISO 3166-1 alpha-2. ${NONE}` },
  payment_method: { schema: paymentMethod, description: "Only this payment method." },
  card_network: { schema: cardNetwork, description: `Only this card network. ${NONE}` },
  provider: { schema: provider, description: `Only this primary provider. ${NONE}` },
} as const satisfies Readonly<Record<string, Parameter>>;

export const FACET_PARAMETERS = Object.keys(facetParameters);

type FacetFilter = Pick<
  DecisionFilter,
  "merchantId" | "currency" | "country" | "paymentMethod" | "cardNetwork" | "provider"
>;

export function readFacetFilter(query: Query): FacetFilter {
  return {
    merchantId: query.matching("merchant_id", merchantIdSchema),
    currency: query.matching("currency", currency),
    country: storedFacet(query.matching("country", country)),
    paymentMethod: query.oneOf("payment_method", paymentMethod),
    cardNetwork: storedFacet(query.oneOf("card_network", cardNetwork)),
    provider: storedFacet(query.matching("provider", provider)),
  };
}
