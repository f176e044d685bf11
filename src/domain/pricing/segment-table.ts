import type { ProviderId, Transaction } from "../vocabulary/decision-request.js";
import type { PricedSegment } from "./pricing-contract.js";

/**
 * How many numbers each kind of name has, 0 being no name: ISO 3166-1 knows 249 countries, ISO 4217 182 currencies. The
 * sum of all stays within 2^53, and with up to 511 providers within 2^31: integers of the processor's are keys that a Map
 * finds without making an object of each.
 */
const COUNTRIES = 2 ** 8;
const NETWORKS = 2 ** 3;
const METHODS = 2 ** 3;
const CURRENCIES = 2 ** 8;
const PROVIDERS = 2 ** 31;

/** Names as multiples of one step; 0 stands for no name, so that a sum of numbers of several kinds names a segment. */
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

  /** 0 for a name that no entry asks for. */
  known(name: string | undefined): number {
    return name === undefined ? 0 : (this.#numbers.get(name) ?? 0);
  }
}

/**
 * Finds the entry of a transaction in constant time. PRICE-6: most fields matched wins; ties: card_network, then
 * country. One table under one number for each segment: of thousands of prices the one that is asked for is seldom in
 * the processor's cache, and tables within tables would be a miss each.
 */
export class SegmentTable<T> {
  readonly #entries = new Map<number, T>();
  readonly #countries = new Numbers(1, COUNTRIES);
  readonly #networks = new Numbers(COUNTRIES, NETWORKS);
  readonly #methods = new Numbers(COUNTRIES * NETWORKS, METHODS);
  readonly #currencies = new Numbers(COUNTRIES * NETWORKS * METHODS, CURRENCIES);
  readonly #providers = new Numbers(COUNTRIES * NETWORKS * METHODS * CURRENCIES, PROVIDERS);
  /** What the transaction asked for last comes to: a decision may ask for several providers of one. */
  #lastAsked: Transaction | null = null;
  #lastMethod = 0;
  #lastCurrency = 0;
  #lastNetwork = 0;
  #lastCountry = 0;

  /** A later entry of the same segment takes the place of the earlier one. */
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
    // Where one of them is 0, the same entry is looked for under its other names first.
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
