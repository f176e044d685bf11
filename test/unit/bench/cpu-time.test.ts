import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { createBusyMeter, familyCpuMs, processCpuMs } from "../../../bench/harness/cpu-time.js";

/** Uses at least `ms` of CPU in this process. */
function burn(ms: number): void {
  const began = process.cpuUsage();
  for (let used = 0; used < ms * 1000;) {
    const { user, system } = process.cpuUsage(began);
    used = user + system;
  }
}

describe("CPU accounting", { skip: process.platform !== "linux" }, () => {
  it("measures the CPU time of a process", () => {
    const before = processCpuMs(process.pid);
    burn(100);
    // The kernel counts in steps of 10 ms, and counts user and system time separately.
    assert.ok(processCpuMs(process.pid) - before >= 80);
  });

  it("measures the CPU time of a process's children, even after they ended", async () => {
    const before = familyCpuMs(process.pid) - processCpuMs(process.pid);
    const code = "const t=process.cpuUsage(); while (process.cpuUsage(t).user < 100000);";
    await once(spawn(process.execPath, ["-e", code]), "exit");
    assert.ok(familyCpuMs(process.pid) - processCpuMs(process.pid) - before >= 80);
  });

  it("has no figure for a process that is gone", () => {
    assert.ok(Number.isNaN(processCpuMs(2 ** 30)));
    assert.ok(Number.isNaN(familyCpuMs(2 ** 30)));
  });

  it("sees that the machine is busy", () => {
    const busy = createBusyMeter();
    burn(100);
    assert.ok(busy() > 0);
  });
});
