import { useSearchParams } from "wouter";

/** New values by parameter name. Null removes a parameter. */
type Changes = Readonly<Record<string, string | null>>;

interface Address {
  parameters: URLSearchParams;
  /** `replace` replaces the current entry of the history. */
  edit(changes: Changes, options?: { replace: boolean }): void;
}

/**
 * DASH-10: keeps a person's choices in the address, so that they survive a reload and can be shared. Only this hook
 * changes the address of a page.
 */
export function useAddress(): Address {
  const [parameters, setParameters] = useSearchParams();
  return {
    parameters,
    edit(changes, options) {
      // Another change may already be in the address, but not yet in the rendered parameters.
      const after = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) after.delete(name);
        else after.set(name, value);
      }
      setParameters(after, options);
    },
  };
}

/** Removes every position in a list from the address, because a position means nothing in another list. */
export function withoutPlaces({ parameters }: Address): Changes {
  const names = [...parameters.keys()].filter((name) => PLACE.test(name));
  return Object.fromEntries(names.map((name) => [name, null]));
}

const PLACE = /^(?:starting_after|ending_before)$|(?:^|_)page$/;

/**
 * Reads one of `values` from the address. The default is `first`. A new choice removes the parameters that `leaves`
 * names.
 */
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

/** The page number of a list, counted from 1. */
export function usePageNumber(name: string): [page: number, turnTo: (page: number) => void] {
  const { parameters, edit } = useAddress();
  const named = Number(parameters.get(name));
  const page = Number.isSafeInteger(named) && named > 0 ? named : 1;
  return [page, (next) => edit({ [name]: next === 1 ? null : String(next) })];
}

interface Pages<Row> {
  /** The position of the first visible row. */
  first: number;
  shown: readonly Row[];
  isOnlyOne: boolean;
  turns: { onPrevious: (() => void) | null; onNext: (() => void) | null };
}

/** Splits loaded rows into pages. If the address names a page beyond the last one, the last one is shown. */
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
