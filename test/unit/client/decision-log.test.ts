import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PayInferenceClient } from "payinference/client";
import { reply, startScriptedServer } from "../../support/http/scripted-server.js";

describe("the client library's iterator over the log", () => {
  it("LOG-28: continues at searched_to, even after a page without rows", async () => {
    const pages = [
      { page: 1, page_size: 2, has_more: true, searched_to: "dec_a", decisions: [] },
      { page: 1, page_size: 2, has_more: true, searched_to: "dec_c", decisions: [{ decision_id: "dec_b" }] },
      {
        page: 1,
        page_size: 2,
        has_more: true,
        decisions: [{ decision_id: "dec_d" }, { decision_id: "dec_e" }],
      },
      { page: 1, page_size: 2, has_more: false, decisions: [] },
    ];
    const server = await startScriptedServer((socket, _request, at) => {
      reply(socket, 200, pages[at] ?? {});
    });
    const client = new PayInferenceClient({ baseUrl: server.url, apiKey: "pi_test_key" });
    const found: string[] = [];
    for await (const { decision_id } of client.decisions({ q: "abc" })) found.push(decision_id);
    assert.deepEqual(found, ["dec_b", "dec_d", "dec_e"]);
    const starts = server.requests.map(({ line }) => /starting_after=(\w+)/.exec(line)?.[1]);
    assert.deepEqual(starts, [undefined, "dec_a", "dec_c", "dec_e"]);
  });
});
