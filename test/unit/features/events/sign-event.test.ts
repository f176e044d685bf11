import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { EVENT_TYPES, TEST_EVENT } from "../../../../src/domain/vocabulary/event-types.js";
import { signedHeaders } from "../../../../src/features/events/sender/sign-event.js";
import { slackBody } from "../../../../src/features/events/sender/slack-text.js";

describe("EVT-9: signatures", () => {
  it("the published library takes them, and nothing that was changed", () => {
    for (const body of ['{"type":"key.created"}', '{"name":"Kaffee é 💳"}', "{}"]) {
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const headers = signedHeaders({ eventId: "evt_1", body, secret }, Date.now());
      const webhook = new Webhook(secret);
      assert.deepEqual(webhook.verify(body, headers), JSON.parse(body));
      assert.throws(() => webhook.verify(`${body} `, headers));
      assert.throws(() => webhook.verify(body, { ...headers, "webhook-id": "evt_2" }));
      const other = new Webhook(`whsec_${randomBytes(32).toString("base64")}`);
      assert.throws(() => other.verify(body, headers));
    }
  });
});

describe("EVT-9: format slack", () => {
  it("has one line of text for every type, with nothing that a person wrote", () => {
    for (const type of [...EVENT_TYPES, TEST_EVENT]) {
      const data = {
        merchant_id: "shop",
        name: "<!channel>",
        note: "*bold*",
        segment_key: null,
        mode: "live",
      };
      const sent = JSON.parse(slackBody(JSON.stringify({ type, data }))) as Record<string, string>;
      assert.deepEqual(Object.keys(sent), ["text"]);
      assert.match(sent["text"] ?? "", /^[^\n<*]+$/, type);
    }
  });
});
