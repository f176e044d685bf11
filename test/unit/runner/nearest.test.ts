import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Reached } from "../../runner/changed.js";
import { leftOutInWords, nearest } from "../../runner/nearest.js";

const near = (file: string, distance: number): Reached => ({ file, distance, isThroughDoor: false });
const behind = (file: string, distance: number): Reached => ({ file, distance, isThroughDoor: true });

describe("the tests nearest to a change", () => {
  it("are those that import it, then those of its subject, then all others that reach it", () => {
    const { files, leftOut } = nearest(
      [
        near("unit/far.test.js", 5),
        behind("service/policies/policies.test.js", 7),
        behind("service/usage/usage.test.js", 7),
        near("unit/two.test.js", 2),
        near("unit/one.test.js", 1),
      ],
      ["src/features/policies/routes/some-route.ts"],
      new Map(),
    );
    assert.deepEqual(files, [
      "unit/one.test.js",
      "unit/two.test.js",
      "service/policies/policies.test.js",
      "unit/far.test.js",
    ]);
    assert.deepEqual(leftOut, ["service/usage/usage.test.js"]);
  });

  it("are as many as fit into twenty seconds, by the measurements of earlier runs", () => {
    const costs = new Map([
      ["unit/dear.test.js", 12],
      ["unit/cheap.test.js", 1],
      ["unit/middle.test.js", 8],
    ]);
    const { files, leftOut } = nearest(
      ["unit/dear.test.js", "unit/cheap.test.js", "unit/middle.test.js"].map((file) => near(file, 1)),
      ["src/domain/risk/risk.ts"],
      costs,
    );
    assert.deepEqual(files, ["unit/cheap.test.js", "unit/middle.test.js"]);
    assert.deepEqual(leftOut, ["unit/dear.test.js"]);
  });

  it("are one at least, however dear it is", () => {
    const { files } = nearest([near("faults/kill.test.js", 1)], [], new Map([["faults/kill.test.js", 60]]));
    assert.deepEqual(files, ["faults/kill.test.js"]);
  });

  it("know a migration as PostgreSQL's, and a page as the dashboard's", () => {
    const reached = [
      "service/postgres/rows.test.js",
      "service/webhooks/hooks.test.js",
      "service/dashboard-files/all.test.js",
    ];
    const of = (changed: string): string[] =>
      nearest(
        reached.map((file) => behind(file, 5)),
        [changed],
        new Map(reached.map((file) => [file, 1])),
      ).files;
    assert.deepEqual(of("migrations/0009_provider_webhooks.sql"), reached.slice(0, 1));
    assert.deepEqual(of("src/dashboard/pages/webhooks/secret.tsx"), reached.slice(2));
    assert.deepEqual(of("src/domain/ids/ulid.ts"), []);
  });
});

describe("the test files that were left out", () => {
  it("is named where it is few, and counted by folder where it is many", () => {
    const many = Array.from(
      { length: 9 },
      (_, index) => `${index < 7 ? "service" : "unit"}/${index}.test.js`,
    );
    assert.equal(
      leftOutInWords(["unit/a.test.js", "unit/b.test.js"], []),
      "left out: unit/a.test.js unit/b.test.js\nleft out of npm run test:installed: none\n",
    );
    assert.equal(
      leftOutInWords(many, ["browser/pages.test.js"]),
      "left out: 9 files that reach the change too (7 in service/, 2 in unit/)\n" +
        "left out of npm run test:installed: browser/pages.test.js\n",
    );
  });
});
