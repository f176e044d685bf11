import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import type { PricedSegment } from "./pricing-contract.js";

/**
 * The capacity for each kind of name, including 0 for no name. ISO 3166-1 has 249 countries, and ISO 4217 182
 * currencies. The sum of all numbers stays within 2^53. With up to 511 providers it stays within 2^31, so a Map finds
 * it without creating an object for each key.
 */
const COUNTRIES = 2 ** 8;
const NETWORKS = 2 ** 3;
const METHODS = 2 ** 3;
const CURRENCIES = 2 ** 8;
const PROVIDERS = 2 ** 31;

/**
 * Gives each name its own multiple of `step`. 0 means no name. Each kind of name has another step, so the sum of one
 * number of each kind identifies a segment.
 */
class Numbers {
  readonly #numbers = new Map<string, number>();

  constructor(
    private readonly step: number,
    private readonly capacity: number,
  ) {}

  of(name: string | undefined): number {
    if (name === undefined) return 0;
    let number = this.#numbers.get(name);
    if (number === undefined) {
      if (this.#numbers.size + 1 === this.capacity) throw new RangeError("more names than numbers");
      this.#numbers.set(name, (number = (this.#numbers.size + 1) * this.step));
    }
    return number;
  }

  /** The number of a name, or 0 if no entry uses it. */
  known(name: string | undefined): number {
    return name === undefined ? 0 : (this.#numbers.get(name) ?? 0);
  }
}

/**
 * Finds the entry of a transaction in constant time. PRICE-6: the entry with the most matching fields wins. On a tie,
 * card_network counts more than country. There is a single table with one number for each segment. Nested tables would
 * cost one cache miss each, because the price in use is seldom in the processor's cache.
 */
export class SegmentTable<T> {
  readonly #entries = new Map<number, T>();
  readonly #countries = new Numbers(1, COUNTRIES);
  readonly #networks = new Numbers(COUNTRIES, NETWORKS);
  readonly #methods = new Numbers(COUNTRIES * NETWORKS, METHODS);
  readonly #currencies = new Numbers(COUNTRIES * NETWORKS * METHODS, CURRENCIES);
  readonly #providers = new Numbers(COUNTRIES * NETWORKS * METHODS * CURRENCIES, PROVIDERS);
  /**
   * The numbers of the last transaction are remembered, because a decision asks for several providers of one
   * transaction.
   */
  #lastAsked: Transaction | null = null;
  #lastMethod = 0;
  #lastCurrency = 0;
  #lastNetwork = 0;
  #lastCountry = 0;

  /** A later entry replaces an earlier one of the same segment. */
  set({ provider, currency, payment_method, card_network, country }: PricedSegment, entry: T): void {
    const segment =
      this.#providers.of(provider) + this.#currencies.of(currency) + this.#methods.of(payment_method);
    this.#entries.set(segment + this.#networks.of(card_network) + this.#countries.of(country), entry);
    this.#lastAsked = null;
  }

  find(provider: ProviderId, transaction: Transaction): T | null {
    if (transaction !== this.#lastAsked) this.#ask(transaction);
    const providerNumber = this.#providers.known(provider);
    if (providerNumber === 0 || this.#lastMethod === 0 || this.#lastCurrency === 0) return null;
    const segment = providerNumber + this.#lastCurrency + this.#lastMethod;
    const network = this.#lastNetwork;
    const country = this.#lastCountry;
    const entries = this.#entries;
    // If network or country is 0, some of these look-ups repeat the same key.
    return (
      entries.get(segment + network + country) ??
      entries.get(segment + network) ??
      entries.get(segment + country) ??
      entries.get(segment) ??
      null
    );
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  #ask(transaction: Transaction): void {
    this.#lastAsked = transaction;
    this.#lastMethod = this.#methods.known(transaction.payment_method);
    this.#lastCurrency = this.#currencies.known(transaction.currency);
    this.#lastNetwork = this.#networks.known(transaction.card_network);
    this.#lastCountry = this.#countries.known(transaction.country);
  }
}
