import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { send, startTestService, type Reply } from "../../support/service/service.js";

/** Runs two independent linters. Each takes longer than all of the service's own tests of the document. */
let reply: Reply;
before(async () => {
  const service = await startTestService({ PROVIDERS: "alpha_pay,beta_pay" });
  reply = await send(service, "GET", "/openapi.json", { key: null });
});

describe("OpenAPI: the findings of linters in the document", () => {
  it("API-6: passes Spectral's ruleset without a problem", async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [spectralRulesets.oas as spectralCore.RulesetDefinition] });
    const problems = await spectral.run(reply.text);
    assert.deepEqual(
      problems.map(({ code, path, message }) => `${code} ${path.join(".")} ${message}`),
      [],
    );
  });

  it("API-6: passes Redocly's recommended lint without a problem", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: reply.text, absoluteRef: "/openapi.json", config });
    // The operations of AUTH-25 and AUTH-26 redirect a browser, so they have no 2xx answer.
    const { paths } = reply.json as { paths: Record<string, { get?: { responses: object } }> };
    const isRedirect = (pointer = ""): boolean => {
      const path = pointer.split("/")[2]?.replaceAll("~1", "/") ?? "";
      return "302" in (paths[path]?.get?.responses ?? {});
    };
    const found = problems.filter(
      ({ ruleId, location }) => ruleId !== "operation-2xx-response" || !isRedirect(location[0]?.pointer),
    );
    assert.equal(problems.length - found.length, 2);
    assert.deepEqual(
      found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`),
      [],
    );
  });
});
