import type { Pool } from "pg";
import { EXPORT_TUNING } from "../queries/export-tuning.js";
import { OlderLogUnavailableError } from "../../../platform/postgres/tenant-db.js";
import { SNAPSHOT, type TenantDb } from "../../../platform/postgres/tenant-db.js";
import {
  dropChunks,
  dropOwnLeases,
  failExport,
  finishExport,
  leaseExport,
  renewLease,
  type Job,
} from "../queries/lease.js";
import { createEncoder } from "./encoder.js";
import { FileWriter, LeaseLost, TooLarge } from "./file-writer.js";
import { pagesOf } from "./sources.js";

export interface ExportMakerOptions {
  /** Sees the rows of all tenants. */
  pool: Pool;
  tenants: TenantDb;
  nodeId: string;
  /** EXP-9: an export fails if its file would be larger. */
  fileBytesMax: number;
  /** `onLong` is called after each page of a file whose stored part has this size. */
  longBytes: number;
  onLong(): void;
  /** Unix milliseconds. */
  now(): number;
  onError(error: unknown): void;
}

/**
 * EXP-8: makes the waiting exports, a few at a time. If PostgreSQL refuses an export or its thread dies, its lease
 * expires and any node starts it again.
 */
export class ExportMaker {
  readonly #making = new Set<Promise<void>>();
  #looking: Promise<void> | null = null;
  #hasBegun = false;
  #isStopped = false;

  constructor(private readonly options: ExportMakerOptions) {}

  /** Takes up waiting exports. Simultaneous calls share one run. */
  look(): Promise<void> {
    this.#looking ??= this.#lease()
      .catch(this.options.onError)
      .finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** Stops the exports in progress. Another node takes them up again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await dropOwnLeases(this.options.pool, this.options.nodeId);
  }

  async #lease(): Promise<void> {
    if (this.#isStopped) return;
    const { pool, nodeId, onError } = this.options;
    if (!this.#hasBegun) await dropOwnLeases(pool, nodeId);
    this.#hasBegun = true;
    while (this.#making.size < EXPORT_TUNING.atOnceMax) {
      const job = await leaseExport(pool, nodeId);
      if (job === null) return;
      const made: Promise<void> = this.#make(job)
        .catch(onError)
        .finally(() => {
          this.#making.delete(made);
          void this.look();
        });
      this.#making.add(made);
    }
  }

  async #make(job: Job): Promise<void> {
    const { pool } = this.options;
    // Several attempts were interrupted, so this export may be the cause of the crashes.
    if (job.attempt > EXPORT_TUNING.attemptsMax) return failExport(pool, job, "interrupted");
    try {
      await this.#write(job);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      if (error instanceof TooLarge) return failExport(pool, job, "too_large");
      // CH-19: the export fails at once with a reason, and the user can request it again.
      if (error instanceof OlderLogUnavailableError) return failExport(pool, job, "older_log_unavailable");
      throw error;
    }
  }

  /** EXP-5: reads in one snapshot. Writes use other connections. */
  async #write(job: Job): Promise<void> {
    const { pool, tenants, now } = this.options;
    await dropChunks(pool, job);
    const progress = { rows: 0, totalRows: null as number | null };
    const file = new FileWriter(pool, job, () => progress, this.options.fileBytesMax);
    let isLost = false;
    // The lease is renewed on a timer: a page can take longer than the lease, and a rare filter stores no piece for a
    // long time.
    const renewing = setInterval(() => {
      renewLease(pool, job, progress).then(
        (isOwn) => (isLost ||= !isOwn),
        // A failed renewal is ignored, because storing the next piece shows whether this node still holds the lease.
        () => undefined,
      );
    }, EXPORT_TUNING.leaseRenewMs);
    try {
      const encoder = await createEncoder(job.format, job.kind);
      await file.write(encoder.begin());
      await tenants.of(job.workspaceId).transaction(async (client) => {
        for await (const { rows, total } of pagesOf({ client, request: job, nowMs: now() })) {
          if (isLost || this.#isStopped) throw new LeaseLost();
          progress.totalRows = total;
          progress.rows += rows.length;
          await file.write(encoder.rows(rows));
          if (file.storedBytes >= this.options.longBytes) this.options.onLong();
        }
      }, SNAPSHOT);
      await file.write(encoder.end());
      const whole = await file.end();
      await finishExport(pool, job, { rows: progress.rows, ...whole });
    } finally {
      clearInterval(renewing);
    }
  }
}
