import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { decisionBody, eventually, send, sendRead, startTestService } from "../../support/service/service.js";
import { createWorkspace } from "../../support/people/tenants.js";

/** Values that must not leak. Each has its own shape, so that a leak shows its source. */
const CARD = "4111111111111111";
const ORDER = "order_private_7d1f";
const MERCHANT = "merchant_private_93ac";
const IDEMPOTENCY_KEY = "idempotency_private_51ce";
const WRONG_KEY = "pi_test_private0000000000000000000000000000000000000000000000000000";
const VALUE = "value_private_20bd";
/** It has more digits than any number that a metric can show by chance. */
const AMOUNT = 7_815_329_046_173;
const PRIVATE = [
  CARD,
  ORDER,
  MERCHANT,
  IDEMPOTENCY_KEY,
  WRONG_KEY,
  "pi_test_",
  VALUE,
  "provider_reason",
  String(AMOUNT),
];

describe("logs and metrics carry only safe fields", () => {
  it("TELE-10: they show no order, merchant, key or body at LOG_LEVEL=debug, for any request and any failure", async () => {
    const service = await startTestService({ LOG_LEVEL: "debug" });
    await createWorkspace(service, { merchants: [MERCHANT] });
    const valid = decisionBody({
      order_id: ORDER,
      transaction: { amount: AMOUNT, currency: "USD", country: "US", payment_method: "card" },
      previous_attempt: { provider: "provider_1", outcome: "declined", provider_reason_code: VALUE },
    });
    const headers = { "idempotency-key": IDEMPOTENCY_KEY };
    // The reader thread must already be running.
    await sendRead(service, "GET", "/v1/decisions");
    const statuses = async (): Promise<number[]> => {
      const decide = async (
        body: unknown,
        options: { key?: string | null; headers?: Record<string, string> } = {},
      ) => (await send(service, "POST", "/v1/decision", { body, ...options })).status;
      const get = async (path: string, key?: string | null) =>
        (await send(service, "GET", path, key === undefined ? {} : { key })).status;
      return [
        await decide(valid, { headers }),
        await decide({ ...valid, order_id: CARD }),
        await decide({ ...valid, merchant_id: `${MERCHANT}_unknown` }),
        await decide({ ...valid, [CARD]: CARD, card_number: CARD, transaction: { pan: CARD, amount: CARD } }),
        await decide(`{"order_id":"${ORDER}","card":${CARD}`),
        await decide(`{"${CARD}":1,"${CARD}":"${VALUE}\\u0000"}`),
        await decide({ ...valid, order_id: CARD.repeat(2000) }),
        await decide(VALUE, { headers: { "content-type": "text/plain" } }),
        await decide(valid, { headers: { "idempotency-key": CARD.repeat(20) } }),
        await decide(valid, { key: WRONG_KEY }),
        await decide(valid, { key: null }),
        await get(`/v1/decisions/${CARD}`),
        await get(`/v1/${VALUE}/${CARD}?card=${CARD}`),
        await get(`/v1/decisions/${CARD}`, WRONG_KEY),
      ];
    };
    assert.deepEqual(
      await statuses(),
      [200, 200, 403, 400, 400, 400, 413, 415, 400, 401, 401, 404, 404, 401],
    );

    // PostgreSQL's errors contain values of refused rows. The service must not pass these values on.
    const tables = ["decisions", "merchants", "api_keys"];
    for (const table of tables) await service.pool.query(`alter table ${table} rename to ${table}_away`);
    // With this change the copy of a merchant fails.
    await service.pool.query("insert into changes (workspace_id, kind, key) values ($1, 1, $2)", [
      idToHex(service.workspaceId),
      VALUE,
    ]);
    await statuses();
    await eventually(async () => assert.match(service.log(), /changes cannot be read from PostgreSQL yet/));
    for (const table of tables) await service.pool.query(`alter table ${table}_away rename to ${table}`);
    const scraped = await (await fetch(service.metricsUrl)).text();
    assert.match(scraped, /route="\/v1\/decision"/);
    assert.equal(await service.stop(), 0);

    const lines = service.log().trimEnd().split("\n");
    for (const line of lines) assert.equal(typeof JSON.parse(line), "object", line);
    assert.match(service.log(), /"msg":"stopping"/);
    for (const secret of [...PRIVATE, service.key]) {
      assert.ok(
        !service.log().includes(secret),
        `${secret} is in the log: ${lines.find((line) => line.includes(secret))}`,
      );
      assert.ok(!scraped.includes(secret), `${secret} is in the metrics`);
    }
  });
});
