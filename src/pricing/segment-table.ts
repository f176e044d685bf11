import type { Transaction } from "../shared/decision-request.js";
import type { PricedSegment } from "./pricing-contract.js";

/**
 * A country and a network as one small number: 0 stands for an entry that does not ask for it, so that the sum of both
 * names a segment. Look-ups by number cost a third of those by text.
 */
class Numbers {
  readonly #numbers = new Map<string, number>();

  constructor(private readonly step: number) {}

  of(name: string | undefined): number {
    if (name === undefined) return 0;
    let number = this.#numbers.get(name);
    if (number === undefined) this.#numbers.set(name, (number = (this.#numbers.size + 1) * this.step));
    return number;
  }

  /** 0 for a name that no entry asks for. */
  known(name: string | undefined): number {
    return name === undefined ? 0 : (this.#numbers.get(name) ?? 0);
  }
}

/** More than there are countries. */
const COUNTRIES_MAX = 1024;

/** The entries of one provider, currency and payment method by the numbers of their network and country. */
type Narrowed<T> = Map<number, T>;

/**
 * Finds the entry of a transaction in constant time. contract §8: most fields matched wins; ties: card_network, then
 * country.
 */
export class SegmentTable<T> {
  readonly #byMethod = new Map<string, Map<string, Map<string, Narrowed<T>>>>();
  readonly #countries = new Numbers(1);
  readonly #networks = new Numbers(COUNTRIES_MAX);
  /** What the transaction asked for last comes to: a decision asks for several providers of one. */
  #lastAsked: Transaction | null = null;
  #lastFound: ReadonlyMap<string, Narrowed<T>> | undefined;
  #lastCountry = 0;
  #lastNetwork = 0;

  /** A later entry of the same segment takes the place of the earlier one. */
  set({ provider, currency, payment_method, card_network, country }: PricedSegment, entry: T): void {
    const byCurrency = childOf(
      this.#byMethod,
      payment_method,
      () => new Map<string, Map<string, Narrowed<T>>>(),
    );
    const byProvider = childOf(byCurrency, currency, () => new Map<string, Narrowed<T>>());
    const narrowed = childOf(byProvider, provider, () => new Map<number, T>());
    narrowed.set(this.#networks.of(card_network) + this.#countries.of(country), entry);
    this.#lastAsked = null;
  }

  find(provider: string, transaction: Transaction): T | null {
    if (transaction !== this.#lastAsked) {
      this.#lastAsked = transaction;
      this.#lastFound = this.#byMethod.get(transaction.payment_method)?.get(transaction.currency);
      this.#lastCountry = this.#countries.known(transaction.country);
      this.#lastNetwork = this.#networks.known(transaction.card_network);
    }
    const narrowed = this.#lastFound?.get(provider);
    if (narrowed === undefined) return null;
    const country = this.#lastCountry;
    const network = this.#lastNetwork;
    // Where one of them is 0, the same entry is looked for under its other names first.
    return (
      narrowed.get(network + country) ??
      narrowed.get(network) ??
      narrowed.get(country) ??
      narrowed.get(0) ??
      null
    );
  }

  get isEmpty(): boolean {
    return this.#byMethod.size === 0;
  }
}

function childOf<Child>(parent: Map<string, Child>, key: string, create: () => Child): Child {
  let child = parent.get(key);
  if (child === undefined) parent.set(key, (child = create()));
  return child;
}
