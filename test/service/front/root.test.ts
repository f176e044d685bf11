import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

/** The accept header of Chromium when somebody types an address. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

const ask = (method: string, accept: string | null): Promise<Response> =>
  fetch(`${service.url}/`, {
    method,
    redirect: "manual",
    // Without a header, `fetch` sends its own `*/*`.
    headers: accept === null ? {} : { accept },
  });

describe("GET /", () => {
  it("SVC-15: sends a browser to the dashboard", async () => {
    for (const method of ["GET", "HEAD"]) {
      const reply = await ask(method, BROWSER);
      assert.equal(reply.status, 302);
      assert.equal(reply.headers.get("location"), "/dashboard");
      assert.equal(reply.headers.get("vary"), "accept");
      assert.equal(await reply.text(), "");
    }
    const followed = await fetch(service.url, { headers: { accept: BROWSER } });
    assert.match(followed.url, /\/dashboard$/);
  });

  it("SVC-15: is 404 to everybody else", async () => {
    for (const accept of [null, "application/json", "text/htmlx", "*/*"]) {
      const reply = await ask("GET", accept);
      assert.equal(reply.status, 404, String(accept));
      const body = { statusCode: 404, message: "Route not found", error: "Not Found" };
      assert.deepEqual(await reply.json(), body);
    }
  });
});
