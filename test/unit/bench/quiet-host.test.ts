import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { machineTicksOf } from "../../../bench/harness/cpu-time.js";
import {
  exitStatusOf,
  failureStatusOf,
  judgeHost,
  judgeRun,
  TimeLimitError,
  type ExitStatus,
  type HostSample,
} from "../../../bench/harness/quiet-host.js";

/** A sample of two cores over one second. The bench's own loop uses one of them. */
function sample({
  others = 0,
  stolen = 0,
  loopMs = [5, 5, 5.1],
}: {
  others?: number;
  stolen?: number;
  loopMs?: readonly number[];
}): HostSample {
  const own = 100;
  const stat = (ran: boolean): string => {
    const [user, steal] = ran ? [own + others, stolen] : [0, 0];
    const idle = ran ? 200 - user - steal : 0;
    return `cpu  ${1000 + user} 7 90 ${5000 + idle} 11 0 3 ${40 + steal} 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n`;
  };
  return {
    before: machineTicksOf(stat(false)),
    after: machineTicksOf(stat(true)),
    ownCpuMs: own * 10,
    loopMs,
  };
}

describe("the ticks of the machine", () => {
  it("are those of the first line of /proc/stat, stolen ones among the busy", () => {
    const ticks = machineTicksOf("cpu  100 20 30 400 50 6 7 8 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    assert.deepEqual(ticks, { busy: 171, steal: 8, total: 621 });
  });
});

describe("a quiet host", () => {
  it("is one where the loop takes the same time and nobody else has the cores", () => {
    const { isQuiet, line } = judgeHost([sample({ others: 4, stolen: 2 })]);
    assert.ok(isQuiet);
    assert.equal(
      line,
      "the host is quiet: 1.0 % of the CPU is stolen, others use 2.0 %, a fixed loop of 5.0 ms differs by 2.0 %",
    );
  });

  for (const [name, noise, reason] of [
    ["others' load", { others: 30 }, "at most 10 % may be others'"],
    ["stolen time", { stolen: 10 }, "at most 3 % may be stolen"],
    ["a loop that is slow at times", { loopMs: [5, 5, 5, 9, 9] }, "the loop may differ by at most 15 %"],
    ["no loop at all", { loopMs: [] }, "the loop may differ by at most 15 %"],
  ] satisfies Array<[string, Parameters<typeof sample>[0], string]>) {
    it(`is none with ${name}, and says why`, () => {
      const { isQuiet, line } = judgeHost([sample(noise)]);
      assert.ok(!isQuiet);
      assert.ok(line.startsWith("the host is NOT QUIET: ") && line.endsWith(`(${reason})`), line);
    });
  }

  it("is judged by the middle of the samples: one hiccup decides nothing, two do", () => {
    const noisy = sample({ others: 60, stolen: 20, loopMs: [5, 20] });
    assert.ok(judgeHost([sample({}), noisy, sample({})]).isQuiet);
    assert.ok(!judgeHost([noisy, sample({}), noisy]).isQuiet);
  });

  it("is not taken on trust where there is no /proc/stat", () => {
    const unknown = { busy: Number.NaN, steal: Number.NaN, total: Number.NaN };
    const { isQuiet, line } = judgeHost([{ ...sample({}), before: unknown, after: unknown }]);
    assert.ok(!isQuiet);
    assert.match(line, /an unknown part of the CPU is stolen, others use an unknown part/);
    assert.ok(!judgeRun(unknown, unknown).isQuiet);
  });

  it("may lose 3 % while the bench runs, at any load of the bench itself", () => {
    const { before, after } = sample({ others: 90, stolen: 6 });
    assert.deepEqual(judgeRun(before, after), {
      isQuiet: true,
      line: "3.0 % of the CPU was stolen while the bench ran",
    });
    const more = sample({ stolen: 7 });
    assert.match(judgeRun(more.before, more.after).line, /^3\.5 % .* NOT QUIET \(at most 3 % may be\)$/);
  });
});

describe("the exit status of a bench", () => {
  const [met, missed] = [{ passed: true }, { passed: false }];
  const [quiet, noisy] = [{ isQuiet: true }, { isQuiet: false }];
  for (const [name, floors, verdicts, status] of [
    ["0: every floor is met on a quiet host", [met, met], [quiet, quiet], 0],
    ["0: nothing was promised of what ran", [], [noisy], 0],
    ["1: a floor is missed on a quiet host", [met, missed], [quiet, quiet], 1],
    ["2: a floor is missed on one that is not", [met, missed], [noisy, quiet], 2],
    ["2: the host was quiet beforehand alone", [missed], [quiet, quiet, noisy], 2],
    ["2: every floor is met beside noise, which proves nothing", [met], [quiet, noisy], 2],
  ] satisfies Array<[string, { passed: boolean }[], { isQuiet: boolean }[], ExitStatus]>) {
    it(name, () => assert.equal(exitStatusOf(floors, verdicts), status));
  }

  it("is 1 for a failed bench, except for a time limit on a host that was not quiet", () => {
    const [late, wrong] = [new TimeLimitError("not ready"), new Error("a decision was lost")];
    assert.equal(failureStatusOf(late, [quiet, noisy]), 2);
    assert.equal(failureStatusOf(late, [quiet, quiet]), 1);
    assert.equal(failureStatusOf(wrong, [noisy, noisy]), 1);
  });
});
