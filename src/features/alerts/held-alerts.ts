import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { AlertBatch, AlertScope, HeldAlert } from "./alert-writer.js";

/** The alerts that this node holds, and those that changed since they were last stored. */
export class HeldAlerts {
  private readonly held = new Map<string, HeldAlert>();
  /** `atMs` is the time of the change. If the alert is no longer held, it closed then. */
  private changed = new Map<string, AlertScope & { atMs: number }>();
  /** True after a prober has started, or after too many changes to note each. `AlertBatch` says what is then closed. */
  private closesUnlisted = false;
  private confirmDue = false;

  /** `now` gives Unix milliseconds. */
  constructor(private readonly now: () => number) {}

  get hasNews(): boolean {
    return this.closesUnlisted || this.confirmDue || this.changed.size > 0;
  }

  /** Opens the alert of a scope, or changes it. Null closes it. */
  set(scope: AlertScope, open: Omit<HeldAlert, keyof AlertScope | "openedAtMs"> | null): void {
    const { kind, owner, segmentKey } = scope;
    const key = `${kind}:${owner?.mode ?? ""}:${owner?.workspaceId ?? ""}:${segmentKey}`;
    const known = this.held.get(key);
    if (open === null && known === undefined) return;
    const atMs = this.now();
    if (open === null) this.held.delete(key);
    else this.held.set(key, { ...scope, ...open, openedAtMs: known?.openedAtMs ?? atMs });
    this.changed.set(key, { ...scope, atMs });
    if (this.changed.size > TUNING.alertChangesMax) {
      this.changed.clear();
      this.closesUnlisted = true;
    }
  }

  /** Drops the held alerts, because the prober that reported them has been replaced. */
  forget(): void {
    this.held.clear();
    this.changed.clear();
    this.closesUnlisted = true;
  }

  /** Makes the next batch confirm all held alerts. */
  confirm(): void {
    this.confirmDue = true;
  }

  /** Takes the alerts to be stored. `putBack` adds them to the next batch, which stores their state at that time. */
  take(): { batch: AlertBatch; putBack(): void } {
    const batch: AlertBatch = {
      closesUnlisted: this.closesUnlisted,
      confirm: this.confirmDue,
      open: [],
      closed: [],
    };
    for (const [key, scope] of this.changed) {
      const alert = this.held.get(key);
      if (alert !== undefined) batch.open.push(alert);
      else batch.closed.push(scope);
    }
    if (batch.closesUnlisted || batch.confirm) {
      for (const [key, alert] of this.held) {
        if (!this.changed.has(key) && (batch.closesUnlisted || alert.owner !== null)) batch.open.push(alert);
      }
    }
    const before = this.changed;
    this.changed = new Map();
    this.closesUnlisted = false;
    this.confirmDue = false;
    const putBack = (): void => {
      for (const [key, scope] of before) if (!this.changed.has(key)) this.changed.set(key, scope);
      this.closesUnlisted ||= batch.closesUnlisted;
      this.confirmDue ||= batch.confirm;
    };
    return { batch, putBack };
  }
}
