import type { FeeOwner } from "./queries/observed-price.js";

export interface PriceObserverOptions {
  /** Lists every merchant with fees. Called once after the start, because earlier fees may not have been fitted. */
  owners(): Promise<FeeOwner[]>;
  /** Fits and stores the prices of one merchant. */
  refit(owner: FeeOwner): Promise<unknown>;
  intervalMs: number;
  onError(error: unknown): void;
}

export interface PriceObserver {
  /** Call it when a fee of this merchant was stored. */
  feeStored(owner: FeeOwner): void;
  close(): Promise<void>;
}

/**
 * Refits merchants whose fees changed, in sequence. Each merchant is refitted at most once per interval, so a flood of
 * webhooks costs no more than a trickle. The merchants to refit are marked only in memory, because the next start
 * refits all of them.
 */
export function observePrices({ owners, refit, intervalMs, onError }: PriceObserverOptions): PriceObserver {
  const changed = new Map<string, FeeOwner>();
  let knowsOwners = false;
  let closed = false;
  let running: Promise<void> = Promise.resolve();

  const mark = (owner: FeeOwner): void => {
    const { workspaceId, merchantId } = owner;
    changed.set(`${workspaceId}/${merchantId}`, { workspaceId, merchantId });
  };

  const round = async (): Promise<void> => {
    if (!knowsOwners) {
      for (const owner of await owners()) mark(owner);
      knowsOwners = true;
    }
    // The round covers only the merchants marked so far. Merchants marked later wait for the next interval.
    for (const [name, owner] of Array.from(changed)) {
      if (closed) return;
      // The mark is removed before the fit, so that a fee during the fit marks the merchant again.
      changed.delete(name);
      try {
        await refit(owner);
      } catch (error) {
        mark(owner);
        throw error;
      }
    }
  };

  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    if (closed) return;
    timer = setTimeout(() => {
      running = round().catch(onError).then(later);
    }, intervalMs);
  };
  later();
  return {
    feeStored: mark,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
