import { parentPort, workerData } from "node:worker_threads";
import type { ProberCommand, ProberWorkerData } from "../src/path/prober/messages.js";
import { startProberActor } from "../src/path/prober/prober-actor.js";
import { createDiskRoomCheck } from "../src/platform/node/disk-room.js";
import { HealthMonitor } from "../src/domain/health/monitor/monitor.js";
import { openReplica } from "../src/path/replica/replica.js";
import { PAYMENT_METHODS } from "../src/domain/vocabulary/vocabulary.js";
import { now } from "../src/platform/timing/clock.js";

const { dataDir, providers, currencies, intervalMs, seed, overrides, reports } =
  workerData as ProberWorkerData;
const replica = openReplica(dataDir, createDiskRoomCheck(dataDir));

const prober = startProberActor({
  monitor: new HealthMonitor({
    providers,
    paymentMethods: PAYMENT_METHODS,
    currencies,
    seed,
    hasProbes: intervalMs > 0,
  }),
  replica,
  overrides,
  reports,
  intervalMs,
  report: (report) => parentPort?.postMessage(report),
  now,
});

parentPort?.on("message", (command: ProberCommand) => {
  switch (command.type) {
    case "outcomes":
      return prober.record(command.evidence);
    case "recall":
      return prober.recall(command.evidence, command.learnt, command.ticket);
    case "export":
      return prober.exportLearnt(command.ticket, command.all);
    case "details":
      return prober.reportDetails(command.workspaceId, command.mode, command.ticket);
    case "overrides":
      return prober.setOverrides(command.workspaces, command.ticket);
    case "reports":
      return prober.setReports(command.workspaces);
    case "stop":
      prober.stop();
      return void replica.close().then(() => parentPort?.close());
  }
});
