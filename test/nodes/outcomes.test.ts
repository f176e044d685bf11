import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { cachedNodes, startNodes } from "../support/service/nodes.js";
import { outcomeReport } from "../support/people/client-requests.js";
import {
  decisionBody,
  eventually,
  send,
  untilAnswered,
  type Reply,
  type RunningService,
} from "../support/service/service.js";
import { NO_VALKEY } from "../support/edge/valkey.js";

const REPORTS = 30;

describe("OUT-12: a report right after its decision's response, on any node, finds it", () => {
  for (const withCache of [false, true]) {
    describe(withCache ? "with CACHE_URL" : "without CACHE_URL", { skip: withCache && NO_VALKEY }, () => {
      let nodes: RunningService[];
      before(async () => {
        if (withCache && NO_VALKEY !== false) return;
        nodes = withCache ? (await cachedNodes()).nodes : await startNodes(3, {});
      });
      const nodeAt = (index: number): RunningService => nodes[index % nodes.length] as RunningService;

      it("a report of any node's decision to any other node gets 200 and is stored once", async () => {
        const decideAndReport = async (index: number): Promise<{ decisionId: string; reply: Reply }> => {
          const body = decisionBody();
          const { json } = await send(nodeAt(index), "POST", "/v1/decision", { body });
          const decisionId = String(json["decision_id"]);
          const reporter = nodeAt(index + 1 + (index % 2));
          const report = (): Promise<Reply> =>
            send(reporter, "POST", "/v1/outcomes", { body: outcomeReport(decisionId) });
          // A client repeats the request, as for any 5xx. The answer is never 404.
          return { decisionId, reply: await untilAnswered(report) };
        };
        const reported = await Promise.all(
          Array.from({ length: REPORTS }, (_, index) => decideAndReport(index)),
        );
        for (const { reply } of reported) assert.equal(reply.status, 200, reply.text);
        for (const [index, { decisionId }] of reported.entries()) {
          await eventually(async () => {
            const { json, text } = await send(nodeAt(index), "GET", `/v1/decisions/${decisionId}`);
            assert.equal((json["outcome"] as { outcome: string } | null)?.outcome, "approved", text);
          });
        }
      });

      it("a decision that no node has made stays unknown", async () => {
        const report = outcomeReport("dec_01jd4wqk2m0000000000000000");
        assert.equal((await send(nodeAt(1), "POST", "/v1/outcomes", { body: report })).status, 404);
      });
    });
  }
});
