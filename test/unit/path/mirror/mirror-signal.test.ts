import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MIRROR } from "../../../../src/domain/vocabulary/tuning/mirror.js";
import {
  allocateMirrorSignal,
  openMirrorGate,
  openMirrorSignal,
} from "../../../../src/path/mirror/mirror-signal.js";

describe("the gate of a decide worker", () => {
  it("DUR-18: opens once the front has mirrored the sequence, and wakes the front", async () => {
    const memory = allocateMirrorSignal();
    let wakes = 0;
    const signal = openMirrorSignal(memory, () => wakes++);
    const gate = openMirrorGate(memory, () => 0);
    const answers = [gate.through(5), gate.through(7)];
    while (wakes === 0) await new Promise(setImmediate);
    signal.mirrored(6);
    assert.equal(await answers[0], true);
    signal.mirrored(3);
    signal.mirrored(7);
    assert.equal(await answers[1], true);
    assert.equal(await gate.through(7), true);
    signal.close();
  });

  it("DUR-18: stays shut where nothing is mirrored in time", async () => {
    const clock = { ms: 0 };
    const gate = openMirrorGate(allocateMirrorSignal(), () => (clock.ms += MIRROR.waitMsMax));
    assert.equal(await gate.through(1), false);
  });
});
