import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { chromium } from "playwright-core";
import { CHROMIUM, SKIP_WITHOUT_BROWSER } from "../../support/people/browser.js";
import { send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

let service: RunningService;
let files: string[];
before(async () => {
  service = await sharedTestService();
  const { text } = await send(service, "GET", "/docs", { key: null });
  files = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, file = ""]) => file);
});

describe("API documentation page", () => {
  it("has no scripts of its own, and its policy allows no script and no other host", async () => {
    const { status, headers, text } = await send(service, "GET", "/docs", { key: null });
    assert.equal(status, 200);
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.doesNotMatch(text, /<script(?![^>]* src=)|\son\w+=|https?:/);
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ");
        return [name, sources.join(" ")];
      }),
    );
    assert.equal(policy.get("default-src"), "'none'");
    assert.equal(policy.get("script-src"), "'self'");
    assert.equal(policy.get("connect-src"), "'self'");
    assert.doesNotMatch([...policy.values()].join(" "), /https?:|\*|unsafe-eval/);
  });

  it("has files under a path that changes with them, cached forever, and gzipped on request", async () => {
    const own = files.filter((file) => !file.startsWith("data:"));
    assert.equal(own.length, 3);
    for (const file of own) {
      assert.match(file, /^\/docs\/[0-9a-f]{16}\/[\w-]+\.(?:js|css)$/);
      const replies = [];
      for (const encoding of ["identity", "gzip"]) {
        const headers = { "accept-encoding": encoding };
        const { status, headers: given, text } = await send(service, "GET", file, { key: null, headers });
        assert.equal(status, 200);
        assert.equal(given.get("cache-control"), "public, max-age=31536000, immutable");
        assert.equal(given.get("content-encoding"), encoding === "gzip" ? "gzip" : null);
        assert.equal(given.get("vary"), "accept-encoding");
        replies.push(text);
      }
      assert.ok(replies[0] !== "" && replies[0] === replies[1], file);
    }
  });

  it("sends no gzip if the client refuses it, and no file to a client that has it", async () => {
    const file = files.find((name) => name.endsWith(".js")) ?? "";
    const refused = { "accept-encoding": "gzip;q=0" };
    const plain = await send(service, "GET", file, { key: null, headers: refused });
    assert.equal(plain.headers.get("content-encoding"), null);
    const known = { ...refused, "if-none-match": plain.headers.get("etag") ?? assert.fail("no etag") };
    const again = await send(service, "GET", file, { key: null, headers: known });
    assert.deepEqual([again.status, again.text], [304, ""]);
  });

  it("answers 404 for another file, and for one of another build", async () => {
    const known = files.find((file) => file.endsWith(".js")) ?? "";
    const build = known.split("/")[2] ?? "";
    for (const path of [`/docs/${build}/package.json`, known.replace(build, "0".repeat(16)), "/docs/a/b/c"]) {
      const { status, json } = await send(service, "GET", path, { key: null });
      assert.deepEqual([status, json["error"]], [404, "Not Found"], path);
    }
  });

  it(
    "shows every operation in a browser, and lets one be tried, with requests to this host alone",
    { skip: SKIP_WITHOUT_BROWSER },
    async () => {
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ["--no-sandbox", "--disable-gpu"],
      });
      try {
        const page = await browser.newPage();
        const problems: string[] = [];
        page.on("console", (message) => {
          if (message.type() === "error") problems.push(message.text());
        });
        page.on("pageerror", (error) => problems.push(String(error)));
        page.on("request", (request) => {
          const url = request.url();
          if (!url.startsWith(service.url) && !url.startsWith("data:")) problems.push(url);
        });
        await page.goto(`${service.url}/docs`);
        await page.locator(".opblock").first().waitFor();
        const { json } = await send(service, "GET", "/openapi.json", { key: null });
        const paths = Object.values(json["paths"] as Record<string, object>);
        const operations = paths.reduce((sum, item) => sum + Object.keys(item).length, 0);
        assert.equal(await page.locator(".opblock").count(), operations);
        const health = page.locator("#operations-Operations-getHealth");
        await health.locator(".opblock-summary-control").click();
        await health.getByRole("button", { name: "Try it out" }).click();
        await health.getByRole("button", { name: "Execute" }).click();
        const answer = health.locator(".live-responses-table .response .microlight").first();
        await answer.waitFor();
        assert.match(await answer.innerText(), /"service": "payinference"/);
        assert.deepEqual(problems, []);
      } finally {
        await browser.close();
      }
    },
  );
});
