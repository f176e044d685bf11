import assert from "node:assert/strict";
import { describe, it, before } from "node:test";
import type { LearntView } from "../../../src/path/prober/messages.js";
import { idToUuid } from "../../../src/domain/ids/ids.js";
import { readEvidence } from "../../../src/path/prober/evidence-queries.js";
import { readLearning, saveLearning } from "../../../src/path/prober/learnt-queries.js";
import { createWorkspace } from "../../support/people/tenants.js";
import { startTestService, type RunningService } from "../../support/service/service.js";

const TAKEOVER_SECONDS = 75;

let service: RunningService;
/** Two workspaces with one segment each. */
let views: LearntView[];
before(async () => {
  service = await startTestService();
  const view = async (samples: number): Promise<LearntView> => ({
    workspaceId: await createWorkspace(service),
    mode: "live",
    segments: [
      {
        key: "provider_1:card:USD",
        technical: [1_800_000_000_000, samples, 0.1, 0, 1 / 3],
        approvals: [1_800_000_000_000, samples, samples, 0.25],
        normal: [0, 0, 0],
        felt: [],
        latencies: [1_800_000_000_000, 0.25, 124, samples],
        health: { kind: "scored", state: "watch", trend: null, backoff: null },
        lastOutcomeMs: 1_800_000_000_000,
        levels: [],
      },
    ],
    recoveries: [["51", 1, "provider_1", [1_800_000_000_000, samples, 0.5]]],
  });
  views = [await view(1.5), await view(2.5)];
});

const evidenceNow = async (): Promise<string> =>
  (await readEvidence(service.pool, null, 1)).next.snapshot as string;
const save = (through: string, saved: readonly LearntView[], own: string | null): Promise<boolean> =>
  saveLearning(service.pool, { through, views: [...saved] }, own, TAKEOVER_SECONDS);
const age = (seconds: number) =>
  service.pool.query("update learnt_health_cursor set stored_at = now() - $1 * interval '1 second'", [
    seconds,
  ]);
const ours = async (): Promise<unknown[]> => {
  const stored = await readLearning(service.pool);
  const ids = new Set(views.map(({ workspaceId }) => workspaceId));
  return (stored?.views ?? [])
    .filter(({ workspaceId }) => ids.has(workspaceId))
    .toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
};
const sorted = (given: readonly LearntView[]): LearntView[] =>
  given.toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));

describe("HLTH-11: the nodes' knowledge, which one of them stores", () => {
  it("is stored to the last digit, view by view; another node takes over once nobody has stored for long", async () => {
    const [first, second] = views as [LearntView, LearntView];
    await age(TAKEOVER_SECONDS + 1);
    const begun = await evidenceNow();
    assert.equal(await save(begun, views, null), true);
    assert.deepEqual(await ours(), sorted(views));
    assert.equal((await readLearning(service.pool))?.through, begun);

    const changed = {
      ...first,
      segments: [{ ...(first.segments[0] as object), lastOutcomeMs: 7 }],
    } as LearntView;
    const next = await evidenceNow();
    assert.equal(await save(next, [changed], null), false, "this node has just stored");
    assert.equal(await save(next, [changed], "1:1:"), false, "another cursor than this node's own stands");
    assert.deepEqual(await ours(), sorted(views));
    assert.equal(await save(next, [changed, { ...second, segments: [], recoveries: [] }], begun), true);
    assert.deepEqual(await ours(), [changed], "a view that has forgotten everything is gone");

    await age(TAKEOVER_SECONDS + 1);
    assert.equal(await save(await evidenceNow(), views, null), true);
    assert.deepEqual(await ours(), sorted(views));
  });

  it("DUR-14: a segment that this build cannot read starts empty, and all others are restored", async () => {
    const [first, second] = sorted(views) as [LearntView, LearntView];
    const [segment] = first.segments;
    const unreadable = [
      { ...segment, health: { kind: "of a later build" } },
      { ...segment, normal: ["1"] },
      { ...segment, felt: null },
      { ...segment, latencies: ["300"] },
      null,
      7,
    ];
    await service.pool.query("update learnt_health set learnt = $2 where workspace_id = $1", [
      idToUuid(first.workspaceId),
      JSON.stringify({ segments: [...unreadable, segment], recoveries: [["51", "1"], ...first.recoveries] }),
    ]);
    assert.equal((await readLearning(service.pool))?.skipped, unreadable.length + 1);
    assert.deepEqual(await ours(), [first, second]);
  });

  it("counts for nothing in another server's numbering, where it would hide all evidence to come", async () => {
    await service.pool.query("update learnt_health_cursor set learnt_through = '900000000:900000000:'");
    const stored = await readLearning(service.pool);
    assert.equal(stored?.through, null);
    assert.ok((await ours()).length > 0, "what was learnt is still there");
  });
});
