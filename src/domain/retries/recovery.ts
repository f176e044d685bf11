import { DecayingCounts } from "../statistics/decaying-counts.js";
import { shrunk } from "../statistics/shrinkage.js";
import type { ProviderId } from "../vocabulary/decision-request.js";
import type { Mode } from "../vocabulary/vocabulary.js";

/** One or more equal outcomes of retries. */
export interface RetryOutcomes {
  workspaceId: string;
  mode: Mode;
  /** The code with which the previous attempt failed, as the provider passed it on. */
  code: string;
  /** The number of attempts before the retry, at least 1. */
  attempt: number;
  /** The provider that executed the retry. */
  provider: ProviderId;
  approved: boolean;
  /** Unix milliseconds, to the second. */
  atMs: number;
  count: number;
}

/** The outcomes of retries of one kind, and the approvals among them, both weighted by age. */
export type RecoveryRow = readonly [
  code: string,
  attempt: number,
  provider: ProviderId,
  outcomes: number,
  approved: number,
];

/** The fields that identify a kind of retry. */
export interface RetryKind {
  code: string;
  attempt: number;
  provider: ProviderId;
}

/** RTRY-19: the weight of the prior for a kind of retry, as in HLTH-29. */
const PRIOR_OUTCOMES = 50;
/** With this half-life, outcomes are 3.5 days old on average, as in HLTH-31. */
const HALF_LIFE_MS = 209_600_000;
/**
 * The most kinds of retries for one workspace and mode: codes × attempts × providers. Above this, the kind whose last
 * outcome is the oldest is evicted.
 */
const KINDS_MAX = 512;

/**
 * RTRY-19: the probability 0..1 that a retry is approved. It is estimated for the code, then for code and attempt
 * number, then for code, number and provider. Each estimate is shrunk towards the one before, and the first towards
 * `prior`. Each estimate leaves out the outcomes that a later one counts, so that no outcome counts twice.
 */
export function recoveryProbability(
  rows: readonly RecoveryRow[],
  { code, attempt, provider }: RetryKind,
  prior: number,
): number {
  const own = { outcomes: 0, approved: 0 };
  const sameAttempt = { outcomes: 0, approved: 0 };
  const sameCode = { outcomes: 0, approved: 0 };
  for (const [rowCode, rowAttempt, rowProvider, outcomes, approved] of rows) {
    if (rowCode !== code) continue;
    const level = rowAttempt !== attempt ? sameCode : rowProvider !== provider ? sameAttempt : own;
    level.outcomes += outcomes;
    level.approved += approved;
  }
  return [sameCode, sameAttempt, own].reduce(
    (parent, { outcomes, approved }) => shrunk(approved, outcomes, parent, PRIOR_OUTCOMES),
    prior,
  );
}

/** One kind of retry in its stored form, from which a restarted node continues. */
export type LearntRecovery = readonly [code: string, attempt: number, provider: string, counts: number[]];

const COUNT = { outcomes: 0, approved: 1 } as const;

interface Kind extends RetryKind {
  readonly counts: DecayingCounts;
}

/** The results of the retries of one workspace and mode. */
export class Recoveries {
  /** The kinds, the one with the oldest last outcome first. */
  private readonly kinds = new Map<string, Kind>();

  record({ code, attempt, provider, approved, atMs, count }: RetryOutcomes): void {
    const { counts } = this.kind({ code, attempt, provider });
    const weighted = count * counts.weightAt(atMs);
    counts.add(COUNT.outcomes, weighted);
    if (approved) counts.add(COUNT.approved, weighted);
    for (const oldest of this.kinds.keys()) {
      if (this.kinds.size <= KINDS_MAX) break;
      this.kinds.delete(oldest);
    }
  }

  rows(nowMs: number): RecoveryRow[] {
    return [...this.kinds.values()].map(({ code, attempt, provider, counts }) => {
      counts.advance(nowMs);
      return [code, attempt, provider, counts.of(COUNT.outcomes), counts.of(COUNT.approved)];
    });
  }

  toLearnt(): LearntRecovery[] {
    return [...this.kinds.values()].map(({ code, attempt, provider, counts }) => [
      code,
      attempt,
      provider,
      counts.toJSON(),
    ]);
  }

  restore(learnt: readonly LearntRecovery[]): void {
    for (const [code, attempt, provider, counts] of learnt)
      this.kind({ code, attempt, provider }).counts.restore(counts);
  }

  /** Returns the kind and moves it to the end of the eviction order. */
  private kind({ code, attempt, provider }: RetryKind): Kind {
    const key = `${attempt}:${provider}:${code}`;
    const kind = this.kinds.get(key) ?? {
      code,
      attempt,
      provider,
      counts: new DecayingCounts(Object.keys(COUNT).length, HALF_LIFE_MS),
    };
    this.kinds.delete(key);
    this.kinds.set(key, kind);
    return kind;
  }
}

/** The most workspaces and modes with results. Above this, the one whose last retry is the oldest loses its results. */
const OWNERS_MAX = 4096;

interface Owner {
  readonly workspaceId: string;
  readonly mode: Mode;
}

/** The results of the retries of all workspaces. */
export class RecoveryMonitor {
  /** The owners, the one with the oldest last outcome first. */
  private readonly byOwner = new Map<string, Owner & { recoveries: Recoveries }>();
  private readonly changed = new Map<string, Owner>();

  record(outcomes: RetryOutcomes): void {
    this.of(outcomes).record(outcomes);
  }

  rows(owner: Owner, nowMs: number): RecoveryRow[] {
    return this.byOwner.get(ownerKey(owner))?.recoveries.rows(nowMs) ?? [];
  }

  owners(): Owner[] {
    return [...this.byOwner.values()].map(({ workspaceId, mode }) => ({ workspaceId, mode }));
  }

  /** The owners whose rows have changed since the last call. */
  takeChanged(): Owner[] {
    const changed = [...this.changed.values()];
    this.changed.clear();
    return changed;
  }

  learntBy(owner: Owner): LearntRecovery[] {
    return this.byOwner.get(ownerKey(owner))?.recoveries.toLearnt() ?? [];
  }

  /** Restores the stored results, and adds the outcomes in `since`, which came later. */
  recall(
    since: readonly RetryOutcomes[],
    learnt: readonly (Owner & { recoveries: readonly LearntRecovery[] })[],
  ): void {
    for (const owner of this.owners()) this.changed.set(ownerKey(owner), owner);
    this.byOwner.clear();
    for (const { recoveries, ...owner } of learnt)
      if (recoveries.length > 0) this.of(owner).restore(recoveries);
    for (const outcomes of since) this.record(outcomes);
  }

  private of({ workspaceId, mode }: Owner): Recoveries {
    const key = ownerKey({ workspaceId, mode });
    const owner = this.byOwner.get(key) ?? { workspaceId, mode, recoveries: new Recoveries() };
    this.byOwner.delete(key);
    this.byOwner.set(key, owner);
    this.changed.set(key, { workspaceId, mode });
    for (const [oldest, { workspaceId: ended, mode: inMode }] of this.byOwner) {
      if (this.byOwner.size <= OWNERS_MAX) break;
      this.byOwner.delete(oldest);
      this.changed.set(oldest, { workspaceId: ended, mode: inMode });
    }
    return owner.recoveries;
  }
}

/** Modes contain no colon, so the pair is unambiguous. */
function ownerKey({ workspaceId, mode }: Owner): string {
  return `${mode}:${workspaceId}`;
}
