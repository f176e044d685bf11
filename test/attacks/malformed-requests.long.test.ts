import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sendMalformedRequests } from "../support/load/malformed-requests.js";
import { startTestService } from "../support/service/service.js";

const REQUESTS = 100_000;

describe("malformed requests, 100,000 of them", () => {
  it("are refused or not answered, never a 5xx of ours, memory stays flat, and the service lives on", async (t) => {
    const service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
    const { answered, silent, grownBytes } = await sendMalformedRequests(service, REQUESTS);
    t.diagnostic(`${answered} answered, ${silent} not, memory ${Math.round(grownBytes / 2 ** 20)} MiB`);
    assert.equal(answered + silent, REQUESTS);
  });
});
