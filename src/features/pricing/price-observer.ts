import type { FeeOwner } from "./queries/observed-price.js";

export interface PriceObserverOptions {
  /** Every merchant with fees; asked once, as what came before this start may not have been looked at. */
  owners(): Promise<FeeOwner[]>;
  /** Fits and stores the prices of one merchant. */
  refit(owner: FeeOwner): Promise<unknown>;
  intervalMs: number;
  onError(error: unknown): void;
}

export interface PriceObserver {
  /** Fees of this merchant came in. */
  feeStored(owner: FeeOwner): void;
  close(): Promise<void>;
}

/**
 * Looks at merchants whose fees changed, one after the other and each once an interval at most, so that a flood of
 * webhooks costs no more fits than a trickle. Nothing is lost with the process: the next start looks at all of them.
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
    // As many as there are now: who is marked meanwhile has the next interval's turn.
    for (const [name, owner] of Array.from(changed)) {
      if (closed) return;
      // Before the fit: a fee that comes meanwhile marks the merchant again.
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
