/**
 * Files and functions over the limits. The list only shrinks: `npm run check` fails for one that has grown, and for one
 * that is within its limit again.
 */
export interface TooLong {
  readonly path: string;
  /** The name of the function. Absent if the file is too long. */
  readonly name?: string;
  /** The length when it was listed. */
  readonly lines: number;
}

export const TOO_LONG: readonly TooLong[] = [
  { path: "src/platform/http/exchange.ts", lines: 468 },
  { path: "src/platform/telemetry/metrics.ts", lines: 353 },
  { path: "bench/client/http-connection.ts", name: "openConnection", lines: 87 },
  { path: "bench/client/load-run.ts", name: "runLoad", lines: 121 },
  { path: "bench/growth/grown-service.ts", name: "createGrownService", lines: 89 },
  { path: "src/dashboard/pages/policies/editor/publish-dialog.tsx", name: "PublishDialog", lines: 96 },
  { path: "src/dashboard/pages/policies/rules/rule-card.tsx", name: "RuleCard", lines: 93 },
  { path: "src/dashboard/pages/pricing/upload-panel.tsx", name: "UploadPanel", lines: 112 },
  { path: "src/dashboard/pages/shadow-report/shadow-report-page.tsx", name: "Report", lines: 90 },
  { path: "src/domain/decision/decide.ts", name: "decide", lines: 86 },
  { path: "src/domain/ids/decision-id.ts", name: "createDecisionIds", lines: 82 },
  { path: "src/features/team/invitations.ts", name: "createInvitations", lines: 101 },
  { path: "src/path/access/api-key-cache.ts", name: "createApiKeyCache", lines: 148 },
  { path: "src/path/changes/node-copies.ts", name: "createNodeCopies", lines: 137 },
  { path: "src/path/decide/batch-commit.ts", name: "createBatchCommit", lines: 137 },
  { path: "src/path/decide/context/decision-contexts.ts", name: "createDecisionContexts", lines: 139 },
  { path: "src/path/decide/decide-actor.ts", name: "createDecideActor", lines: 108 },
  { path: "src/path/decide/pool/decision-pool.ts", name: "createDecisionPool", lines: 159 },
  { path: "src/path/front/decision-route.ts", name: "decisionRoute", lines: 105 },
  { path: "src/path/front/server.ts", name: "startHttpServer", lines: 107 },
  { path: "src/path/journal/journal.ts", name: "openJournal", lines: 97 },
  { path: "src/path/replica/replica.ts", name: "openReplica", lines: 108 },
  { path: "src/path/writer/decision-writer.ts", name: "createDecisionWriter", lines: 102 },
  { path: "src/path/writer/writer-actor.ts", name: "createWriterActor", lines: 222 },
  { path: "src/platform/cache/cache-client.ts", name: "createCacheClient", lines: 134 },
  { path: "src/platform/telemetry/metrics.ts", name: "createMetrics", lines: 285 },
];
