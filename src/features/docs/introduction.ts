import { CURRENCY_EXPONENTS } from "../../domain/vocabulary/currencies.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";

/** Groups thousands with commas. `toLocaleString` would load ICU, which takes 25 ms. */
const count = (values: number): string => String(values).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");

const decimals = (code: string): string => `${code} ${CURRENCY_EXPONENTS.get(code) ?? ""}`;

/** The facts that hold for every operation. */
export const DESCRIPTION = `Between a customer's pay action and the submission to a provider: the backend sends payment context, the service answers exactly one instruction, the backend executes it and reports what happened. The service never moves money and never calls a provider for a payment.

Amounts are integers in minor units, with the decimals of ISO 4217 (${["JPY", "USD", "HUF", "KWD"].map(decimals).join(", ")}), rates fractions 0..1, timestamps ISO 8601 in UTC with milliseconds. Bodies and queries are strict: an unknown field or query parameter is refused, and nothing that was submitted is ever echoed. No body has a key twice or nests deeper than ${LIMITS.jsonLevelsMax} levels. It holds at most ${count(LIMITS.bodyValuesMax)} values, of policies ${count(LIMITS.policyFieldsMax)} fields, of a webhook ${count(LIMITS.webhookValuesMax)} and of a price contract ${count(LIMITS.contractValuesMax)} values.

Every answer carries \`x-request-id\`, \`cache-control: no-store\` and \`x-content-type-options: nosniff\`. Whatever answers GET answers HEAD. Another method on a known path is 405 with \`allow\`, an unknown path 404; both with the body of \`Error\`.

Limits are fixed windows of one minute: of a key or session for all its requests together, of a source for sign-ins and for unknown keys, of an account for wrong passwords, and of a source and route for webhooks. A source is an IPv4 address or an IPv6 /64. A 429 carries \`limit_per_minute\` in its body and no Retry-After header: try again after the next minute begins. There are no other rate-limit headers.

An HTTP error is an answer and need not be retried; a timeout is an outage, so fall back. If a decision is retried, reuse its Idempotency-Key.`;
