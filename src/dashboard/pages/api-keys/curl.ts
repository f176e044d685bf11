const PROVIDERS_OFFERED = 2;

/**
 * Returns a shell command that requests a decision. Ids of merchants and providers contain no quote (FMT-9), so they
 * need no escaping.
 */
export function curlOf(
  origin: string,
  secret: string,
  merchantId: string,
  providers: readonly string[],
): string {
  const body = JSON.stringify({
    merchant_id: merchantId,
    order_id: "order_1001",
    transaction: { amount: 129_900, currency: "USD", country: "US", payment_method: "card" },
    available_providers: providers.slice(0, PROVIDERS_OFFERED),
  });
  return [
    `curl -s ${origin}/v1/decision`,
    `-H 'x-api-key: ${secret}'`,
    "-H 'content-type: application/json'",
    `-d '${body}'`,
  ].join(" \\\n  ");
}
