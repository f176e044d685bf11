import type { Transaction } from "../shared/decision-request.js";
import type { PricedSegment } from "./pricing-contract.js";

/** The entries of one provider, currency and payment method, by what else they ask for. */
interface Narrowed<T> {
  both: Map<string, Map<string, T>>;
  byNetwork: Map<string, T>;
  byCountry: Map<string, T>;
  any: T | null;
}

/**
 * Finds the entry of a transaction in constant time. contract §8: most fields matched wins; ties: card_network, then
 * country. No key is ever joined from strings: that would cost more than the look-ups.
 */
export class SegmentTable<T> {
  readonly #byProvider = new Map<string, Map<string, Map<string, Narrowed<T>>>>();

  /** A later entry of the same segment takes the place of the earlier one. */
  set({ provider, currency, payment_method, card_network, country }: PricedSegment, entry: T): void {
    const byCurrency = childOf(this.#byProvider, provider, () => new Map<string, Map<string, Narrowed<T>>>());
    const byMethod = childOf(byCurrency, currency, () => new Map<string, Narrowed<T>>());
    const narrowed = childOf(byMethod, payment_method, () => emptyNarrowed<T>());
    if (card_network !== undefined && country !== undefined) {
      childOf(narrowed.both, card_network, () => new Map<string, T>()).set(country, entry);
    } else if (card_network !== undefined) narrowed.byNetwork.set(card_network, entry);
    else if (country !== undefined) narrowed.byCountry.set(country, entry);
    else narrowed.any = entry;
  }

  find(provider: string, { currency, payment_method, card_network, country }: Transaction): T | null {
    const narrowed = this.#byProvider.get(provider)?.get(currency)?.get(payment_method);
    if (narrowed === undefined) return null;
    if (card_network !== undefined) {
      const entry = narrowed.both.get(card_network)?.get(country) ?? narrowed.byNetwork.get(card_network);
      if (entry !== undefined) return entry;
    }
    return narrowed.byCountry.get(country) ?? narrowed.any;
  }

  get isEmpty(): boolean {
    return this.#byProvider.size === 0;
  }
}

function emptyNarrowed<T>(): Narrowed<T> {
  return { both: new Map(), byNetwork: new Map(), byCountry: new Map(), any: null };
}

function childOf<Child>(parent: Map<string, Child>, key: string, create: () => Child): Child {
  let child = parent.get(key);
  if (child === undefined) parent.set(key, (child = create()));
  return child;
}
