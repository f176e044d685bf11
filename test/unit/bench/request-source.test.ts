import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRecordedSource, createTrafficSource } from "../../../bench/client/request-source.js";
import { DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../../../bench/client/traffic.js";

const endpoint = { url: new URL("http://127.0.0.1:8080/v1/decision"), key: "pi_test_key" };
const traffic = { seed: 5, merchants: DEFAULT_MERCHANTS, providers: DEFAULT_PROVIDERS };

function parse(bytes: Buffer): { head: string[]; body: string } {
  const [head = "", body = ""] = bytes.toString("utf8").split("\r\n\r\n");
  return { head: head.split("\r\n"), body };
}

describe("prepared requests", () => {
  it("are complete HTTP/1.1 requests with key and length", () => {
    const { head, body } = parse(createTrafficSource(endpoint, traffic).next());
    assert.deepEqual(head, [
      "POST /v1/decision HTTP/1.1",
      "host: 127.0.0.1:8080",
      "x-api-key: pi_test_key",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
    ]);
    assert.equal((JSON.parse(body) as { merchant_id: string }).merchant_id, "demo_merchant");
  });

  it("keep order ids unique long after the prepared bodies are used up", () => {
    const source = createTrafficSource(endpoint, traffic);
    const orders = Array.from(
      { length: 10_000 },
      () => (JSON.parse(parse(source.next()).body) as { order_id: string }).order_id,
    );
    assert.equal(new Set(orders).size, orders.length);
    assert.equal(orders[0]?.length, orders.at(-1)?.length);
  });

  it("send recorded bodies as they are, in turn, by their length in bytes", () => {
    const source = createRecordedSource({ ...endpoint, key: "" }, ['{"order_id":"é"}', "{}"]);
    const texts = [1, 2, 3].map(() => source.next().toString("utf8"));
    assert.equal(texts[0], texts[2]);
    assert.match(texts[0] as string, /content-length: 17\r\n\r\n\{"order_id":"é"\}$/);
    assert.match(texts[1] as string, /content-length: 2\r\n\r\n\{\}$/);
    assert.doesNotMatch(texts[0] as string, /x-api-key/);
  });
});
