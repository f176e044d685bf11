import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sendMalformedRequests } from "../support/load/malformed-requests.js";
import { sharedTestService } from "../support/service/shared-service.js";

const REQUESTS = 2000;

describe("malformed requests, generated", () => {
  it("are refused or not answered, never a 5xx of ours, and the service lives on", async (t) => {
    const service = await sharedTestService();
    const { answered, silent, grownBytes } = await sendMalformedRequests(service, REQUESTS);
    t.diagnostic(`${answered} answered, ${silent} not, memory ${Math.round(grownBytes / 2 ** 20)} MiB`);
    assert.equal(answered + silent, REQUESTS);
    assert.ok(answered > REQUESTS / 2, "most of them are whole enough to be refused");
  });
});
