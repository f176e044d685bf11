import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Exchange } from "../../../../src/platform/http/exchange.js";
import { metricsRoute } from "../../../../src/features/operations/routes.js";

describe("GET /metrics, asked by many at once", () => {
  it("is gathered once more for all that ask while it is, never from before they asked", async () => {
    let gathered = 0;
    const route = metricsRoute({ text: async () => `page ${++gathered}`, contentType: "text/plain" });
    const sent: string[] = [];
    const ask = async (): Promise<void> => {
      const exchange = { send: (_status: number, body: string) => void sent.push(body) };
      await route.handle(exchange as unknown as Exchange, []);
    };
    await Promise.all(Array.from({ length: 100 }, ask));
    assert.equal(sent.length, 100);
    assert.ok(gathered <= 2, `gathered ${gathered} times`);
    await ask();
    assert.equal(sent.at(-1), `page ${gathered}`);
    assert.ok(gathered >= 2);
  });
});
