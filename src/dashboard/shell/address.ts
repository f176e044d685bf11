import { useSearchParams } from "wouter";

/** What each named parameter is to be; null takes it out. */
type Changes = Readonly<Record<string, string | null>>;

interface Address {
  parameters: URLSearchParams;
  /** `replace`: the address before is none to go back to. */
  edit(changes: Changes, options?: { replace: boolean }): void;
}

/**
 * DASH-10: what a person has chosen stands in the address, and so survives a reload and can be passed on. Nothing but this
 * changes the address of a page.
 */
export function useAddress(): Address {
  const [parameters, setParameters] = useSearchParams();
  return {
    parameters,
    edit(changes, options) {
      // Another choice of the same moment is in the address already, and not in what was rendered.
      const after = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) after.delete(name);
        else after.set(name, value);
      }
      setParameters(after, options);
    },
  };
}

/** What takes every place in a list out of the address: such a place is none in another list. */
export function withoutPlaces({ parameters }: Address): Changes {
  const names = [...parameters.keys()].filter((name) => PLACE.test(name));
  return Object.fromEntries(names.map((name) => [name, null]));
}

const PLACE = /^(?:starting_after|ending_before)$|(?:^|_)page$/;

/** One of `values`; the first view of a page is of `first`. `leaves`: what the choice takes out of the address with it. */
export function useChoice<Value extends string>(
  name: string,
  values: readonly Value[],
  first: NoInfer<Value>,
  ...leaves: readonly string[]
): [value: Value, choose: (value: NoInfer<Value>) => void] {
  const { parameters, edit } = useAddress();
  const named = parameters.get(name);
  const value = values.find((one) => one === named) ?? first;
  const choose = (chosen: Value): void =>
    edit({
      [name]: chosen === first ? null : chosen,
      ...Object.fromEntries(leaves.map((left) => [left, null])),
    });
  return [value, choose];
}

/** A page of a list, from 1. */
export function usePageNumber(name: string): [page: number, turnTo: (page: number) => void] {
  const { parameters, edit } = useAddress();
  const named = Number(parameters.get(name));
  const page = Number.isSafeInteger(named) && named > 0 ? named : 1;
  return [page, (next) => edit({ [name]: next === 1 ? null : String(next) })];
}

interface Pages<Row> {
  /** The position of the first row that is shown. */
  first: number;
  shown: readonly Row[];
  isOnlyOne: boolean;
  turns: { onPrevious: (() => void) | null; onNext: (() => void) | null };
}

/** Rows that are all here, a page at a time. An address may name a page beyond the last: that one is shown then. */
export function usePages<Row>(name: string, rows: readonly Row[], pageRows: number): Pages<Row> {
  const [named, turnTo] = usePageNumber(name);
  const last = Math.max(1, Math.ceil(rows.length / pageRows));
  const page = Math.min(named, last);
  const first = (page - 1) * pageRows;
  return {
    first,
    shown: rows.slice(first, first + pageRows),
    isOnlyOne: last === 1,
    turns: {
      onPrevious: page === 1 ? null : () => turnTo(page - 1),
      onNext: page === last ? null : () => turnTo(page + 1),
    },
  };
}
