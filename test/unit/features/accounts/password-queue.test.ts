import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createPasswordQueue,
  type PasswordQueue,
  type PasswordWork,
} from "../../../../src/features/accounts/password-queue.js";
import { hashPassword, NOBODYS_HASH, verifyPassword } from "../../../../src/features/accounts/password.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

/**
 * Hashes on the test's own thread. The service hashes on a separate thread (test/faults/threads/thread-crash.test.ts).
 */
const WORK: PasswordWork = {
  hash: async (password) => hashPassword(password),
  verify: async (password, passwordHash) => verifyPassword(password, passwordHash),
};
const PARAMETERS = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

function verify(
  queue: PasswordQueue,
  passwordHash: string | null,
  owner = "source",
  isKnown = false,
): Promise<boolean | "full"> {
  return queue.inTurn({ owner, isKnown }, (work) => work.verify("secret", passwordHash));
}

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
    // The form is NFC and not NFKC, so that similar characters stay different.
    assert.ok(!verifyPassword("file 1", hashPassword("\ufb01le 1")));
  });

  it("an unknown user costs the same work and is answered no", async () => {
    assert.match(NOBODYS_HASH, PARAMETERS);
    const lengths = [NOBODYS_HASH, hashPassword("x")].map((text) =>
      text.split("$").map((part) => part.length),
    );
    assert.deepEqual(lengths[0], lengths[1]);
    assert.equal(verifyPassword("secret", null), false);
  });
});

describe("passwords are checked few at a time, and the line has an end", () => {
  it("accepts as many as the limits allow, answers full to the rest, and serves all accepted ones", async () => {
    const queue = createPasswordQueue({ work: WORK, decisionsMade: () => 0 });
    const places = TUNING.passwordHashesAtOnceMax + TUNING.passwordHashesWaitingMax;
    const asked = Array.from({ length: places + 3 }, (_, i) => verify(queue, null, `source ${i}`));
    const answers = await Promise.all(asked);
    assert.equal(answers.filter((answer) => answer === false).length, places);
    assert.deepEqual(answers.slice(places), ["full", "full", "full"]);
    // All accepted passwords are done, so the line is free again.
    assert.equal(await verify(queue, hashPassword("secret")), true);
  });

  it("a check that fails gives its place on", async () => {
    const queue = createPasswordQueue({ work: WORK, decisionsMade: () => 0 });
    const broken = Array.from({ length: 3 }, () => verify(queue, "no hash at all"));
    const results = await Promise.allSettled(broken);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["rejected", "rejected", "rejected"],
    );
    assert.equal(await verify(queue, null), false);
  });

  it("OPS-9: one source that asks a thousand times is refused; others and a session that lives are not, and wait for none of it", async () => {
    const served: string[] = [];
    const queue = createPasswordQueue({
      work: {
        ...WORK,
        async verify(password) {
          served.push(password);
          await nextTurn();
          return true;
        },
      },
      decisionsMade: () => 0,
    });
    const show = (name: string, owner: string, isKnown = false) =>
      queue.inTurn({ owner, isKnown }, (work) => work.verify(name, null));
    const noisy = Array.from({ length: 1000 }, () => show("noisy", "noisy"));
    const quiet = Array.from({ length: 5 }, (_, i) => show(`quiet ${i}`, `quiet ${i}`));
    const session = show("session", "session", true);
    assert.deepEqual(await Promise.all(quiet), [true, true, true, true, true]);
    assert.equal(await session, true);
    const refused = (await Promise.all(noisy)).filter((answer) => answer === "full");
    assert.ok(refused.length > 900, String(refused.length));
    // The first password of the noisy owner was already being checked when the others arrived.
    assert.deepEqual(served.slice(0, 2), ["noisy", "session"]);
    assert.ok(served.indexOf("quiet 4") <= 7, served.slice(0, 10).join());
  });

  /** A queue for two cores with a clock of its own. Each password takes the time that `work` returns. */
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
    await verify(queue, null);
    assert.deepEqual(rests, [], "nobody decides");
    work.decisions = 1;
    await Promise.all([verify(queue, null), verify(queue, null)]);
    assert.deepEqual(rests, [490], "10 ms of 500 are a fiftieth of one core and a hundredth of two");
  });

  it("rests a second at most, however long a password waited for a core: a starved host's next login is not held for that", async () => {
    const { queue, work, rests } = restingQueue();
    for (const ms of [80, 10, 80]) {
      work.decisions++;
      work.ms = ms;
      await verify(queue, null);
    }
    assert.deepEqual(rests, [980, 490, 980]);
  });
});
