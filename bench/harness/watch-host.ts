import { machineTicks } from "./cpu-time.js";
import { judgeHost, judgeRun, type HostSample, type HostVerdict } from "./quiet-host.js";

const SAMPLES = 3;
const SAMPLE_MS = 1_000;
/**
 * The loop takes a few milliseconds, about the scheduler's time slice. A process that takes the core doubles the
 * duration of a loop.
 */
const LOOP_STEPS = 5_000_000;
/** V8 compiles the loop during these runs. */
const WARM_UP_LOOPS = 20;

/** Takes three seconds. Run nothing else of the bench in that time. */
export function lookAtHost(): HostVerdict {
  for (let loop = 0; loop < WARM_UP_LOOPS; loop++) runLoop();
  return judgeHost(Array.from({ length: SAMPLES }, sampleHost));
}

/** Measures the stolen CPU from now until the returned function is called. */
export function watchStolen(): () => HostVerdict {
  const before = machineTicks();
  return () => judgeRun(before, machineTicks());
}

function sampleHost(): HostSample {
  const [before, cpu, beganMs] = [machineTicks(), process.cpuUsage(), performance.now()];
  const loopMs: number[] = [];
  while (performance.now() - beganMs < SAMPLE_MS) loopMs.push(runLoop());
  const { user, system } = process.cpuUsage(cpu);
  return { before, after: machineTicks(), ownCpuMs: (user + system) / 1000, loopMs };
}

/** Uses integers only, so it neither allocates nor waits for memory. It gets slower only if it loses its core. */
function runLoop(): number {
  const beganMs = performance.now();
  let state = 1;
  for (let step = 0; step < LOOP_STEPS; step++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  if (Number.isNaN(state)) throw new Error("integers have no NaN");
  return performance.now() - beganMs;
}
