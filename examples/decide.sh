#!/usr/bin/env bash
# One payment with curl: a decision, its outcome, and both read back. Where nothing is to be paid there is no outcome.
#   PAYINFERENCE_URL=http://127.0.0.1:8080 PAYINFERENCE_KEY=pi_test_… examples/decide.sh
set -euo pipefail
url=${PAYINFERENCE_URL:-http://127.0.0.1:8080}
key=${PAYINFERENCE_KEY:?set it to an API key; npm start prints the demo workspace\'s}
order="order_$(date +%s)_$$"

call() { curl --silent --show-error --fail-with-body -H "x-api-key: $key" -H "content-type: application/json" "$@"; }

# --max-time is the hard timeout; where it strikes, pay by a route of your own (the client library does both).
decision=$(call --max-time 0.25 -H "idempotency-key: $order-1" "$url/v1/decision" -d '{
  "merchant_id": "demo_merchant",
  "order_id": "'"$order"'",
  "transaction": {"amount": 129900, "currency": "USD", "country": "US", "payment_method": "card"},
  "available_providers": ["provider_1", "provider_2"]
}')
echo "$decision"

# Empty where the decision has no such text: a block's route is null.
field() { sed -nE 's/.*"'"$1"'":"([^"]+)".*/\1/p' <<<"$decision"; }
id=$(field decision_id)
action=$(field action)
provider=$(field primary_provider)

if [[ -z $provider || $action == hold ]]; then
  echo "$action: nothing is paid, so there is no outcome to report" >&2
else
  # … the payment itself, with $provider; for a step_up the customer confirms it first …

  call "$url/v1/outcomes" -d '{
    "decision_id": "'"$id"'", "order_id": "'"$order"'", "provider_used": "'"$provider"'",
    "outcome": "approved", "provider_latency_ms": 412, "amount": 129900, "currency": "USD"
  }'
  echo
fi
call "$url/v1/decisions/$id"
echo
