import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPasswordQueue, type PasswordWork } from "../../../../src/features/accounts/password-queue.js";
import { hashPassword, NOBODYS_HASH, verifyPassword } from "../../../../src/features/accounts/password.js";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";

/** Here on this thread; in the service on one of its own (test/faults/threads/thread-crash.test.ts). */
const WORK: PasswordWork = {
  hash: async (password) => hashPassword(password),
  verify: async (password, passwordHash) => verifyPassword(password, passwordHash),
};
const PARAMETERS = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe("passwords are Argon2id", () => {
  it("hashed with its own salt, and verified", async () => {
    const [one, other] = [hashPassword("secret"), hashPassword("secret")];
    assert.match(one, PARAMETERS);
    assert.notEqual(one, other);
    assert.deepEqual([verifyPassword("secret", one), verifyPassword("Secret", one)], [true, false]);
  });

  it("ACC-2: one password however its letters are composed, and another of look-alikes", () => {
    const [composed, decomposed] = [
      "caf\u00e9 \u212bngstr\u00f6m \uac00",
      "cafe\u0301 A\u030angstro\u0308m \u1100\u1161",
    ];
    assert.ok(verifyPassword(decomposed, hashPassword(composed)));
    assert.ok(verifyPassword(composed, hashPassword(decomposed)));
    // NFC and not NFKC: what only looks alike is not made one.
    assert.ok(!verifyPassword("file 1", hashPassword("\ufb01le 1")));
  });

  it("where there is no user, the same work and the answer no", async () => {
    assert.match(NOBODYS_HASH, PARAMETERS);
    const lengths = [NOBODYS_HASH, hashPassword("x")].map((text) =>
      text.split("$").map((part) => part.length),
    );
    assert.deepEqual(lengths[0], lengths[1]);
    assert.equal(verifyPassword("secret", null), false);
  });
});

describe("passwords are checked few at a time, and the line has an end", () => {
  it("takes what the limits allow, says full to the rest, and serves all that it took", async () => {
    const queue = createPasswordQueue({ work: WORK, decisionsMade: () => 0 });
    const places = LIMITS.passwordHashesAtOnceMax + LIMITS.passwordHashesWaitingMax;
    const asked = Array.from({ length: places + 3 }, () => queue.verify("secret", null));
    const answers = await Promise.all(asked);
    assert.equal(answers.filter((answer) => answer === false).length, places);
    assert.deepEqual(answers.slice(places), ["full", "full", "full"]);
    // And the line is free again.
    const hashed = await queue.hash("secret");
    assert.ok(hashed !== "full");
    assert.equal(await queue.verify("secret", hashed.passwordHash), true);
  });

  it("a check that fails gives its place on", async () => {
    const queue = createPasswordQueue({ work: WORK, decisionsMade: () => 0 });
    const broken = Array.from({ length: 3 }, () => queue.verify("secret", "no hash at all"));
    const results = await Promise.allSettled(broken);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    );
    assert.equal(await queue.verify("secret", null), false);
  });

  /** On two cores, by a clock of its own: each password takes as long as `work` says. */
  function restingQueue() {
    let clockMs = 0;
    const work = { decisions: 0, ms: 10 };
    const rests: number[] = [];
    const queue = createPasswordQueue({
      work: {
        ...WORK,
        async verify() {
          clockMs += work.ms;
          return true;
        },
      },
      decisionsMade: () => work.decisions,
      cores: 2,
      now: () => clockMs,
      sleep: async (ms) => void rests.push(ms),
    });
    return { queue, work, rests };
  }

  it("rests after each while decisions are made, so that passwords take a hundredth of all cores", async () => {
    const { queue, work, rests } = restingQueue();
    await queue.verify("secret", null);
    assert.deepEqual(rests, [], "nobody decides");
    work.decisions = 1;
    await Promise.all([queue.verify("secret", null), queue.verify("secret", null)]);
    assert.deepEqual(rests, [490], "10 ms of 500 are a fiftieth of one core and a hundredth of two");
  });

  it("rests a second at most, however long a password waited for a core: a starved host's next login is not held for that", async () => {
    const { queue, work, rests } = restingQueue();
    for (const ms of [80, 10, 80]) {
      work.decisions++;
      work.ms = ms;
      await queue.verify("secret", null);
    }
    assert.deepEqual(rests, [980, 490, 980]);
  });
});
