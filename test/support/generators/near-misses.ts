import * as fc from "fast-check";

/** Changes to a body, of the kinds that callers get wrong and that validators tend to read in different ways. */

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1,
  0.5,
  1.005,
  100,
  101,
  10_001,
  2 ** 53 - 1,
  2 ** 53,
  1e21,
  "",
  "a\u0000b",
  "\u0000",
  "\ud800",
  "a\udc00",
  "\ud83d\ude00",
  "\ud83d\ude00".repeat(64),
  "\ud83d\ude00".repeat(65),
  "x".repeat(64),
  "x".repeat(65),
  "x".repeat(120),
  "x".repeat(121),
  "x".repeat(128),
  "x".repeat(129),
  "x".repeat(257),
  "usd",
  "USD",
  "XXQ",
  "US",
  "XK",
  "UPPER_SNAKE",
  "PAYINFERENCE_TIMEOUT",
  "provider_1",
  "provider_9",
  "payment.fee_assessed",
  "2026-02-28T10:00:00Z",
  "2026-02-29T10:00:00Z",
  "2024-02-29T10:00:00Z",
  "1900-02-29T10:00:00Z",
  "2026-04-31T10:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T23:59:60Z",
  "2026-01-01T10:00:00z",
  "2026-01-01t10:00:00Z",
  "2026-01-01 10:00:00Z",
  "2026-01-01T10:00Z",
  "2026-01-01T10:00:00",
  "2026-01-01T10:00:00,5Z",
  "2026-01-01T10:00:00+24:00",
  "2026-01-01T10:00:00.1234567890Z",
  "2026-01-01",
  "0000-01-01T00:00:00Z",
  `whsec_${"A".repeat(28)}`,
  `whsec_${"A".repeat(32)}`,
  `whsec_${"A".repeat(33)}=`,
  `whsec_${"A".repeat(34)}==`,
  `whsec_${"A".repeat(33)}B==`,
  `whsec_${"A".repeat(35)}=`,
  `whsec_${"A".repeat(34)}B=`,
  `whsec_${"A".repeat(84)}`,
  `whsec_${"A".repeat(86)}==`,
  `whsec_${"A".repeat(87)}=`,
  `whsec_${"A".repeat(88)}`,
  "person@example.com",
  "per\u0085son@example.com",
  "per son@example.com",
  "per\ud800son@example.com",
  "\ud83d\ude00@example.com",
  "a@b@c",
  [],
  {},
];

const MEMBERS: readonly (readonly [name: string, value: unknown])[] = [
  ["unknown", 1],
  ["__proto__", 1],
  ["constructor", 1],
  ["a\u0000", 1],
  ["provider", "provider_1"],
  ["providers", ["provider_1"]],
  ["note", "x"],
  ["max_effective_bps", 1],
  ["max_cost_minor", 1],
  ["any_of", [{}]],
];
const STEPS = [0.5, -1, 1, 0.001];
/** The number of lists of conditions that a change nests around the value. */
const LEVELS = [1, 3, 4];

type Holder = Record<string, unknown>;
/** Changes the value of `holder` at `key`. It does nothing if the change makes no sense. */
type Change = (holder: Holder, key: string) => void;

const CHANGES: readonly Change[] = [
  remove,
  repeatFirst,
  ...VALUES.map(
    (value): Change =>
      (holder, key) =>
        set(holder, key, value),
  ),
  ...MEMBERS.map(([name, value]): Change => (holder, key) => {
    const target = holder[key];
    if (isObject(target)) set(target, name, value);
  }),
  ...STEPS.map((by): Change => (holder, key) => {
    const value = holder[key];
    if (typeof value === "number") set(holder, key, value + by);
  }),
  ...LEVELS.map((levels): Change => (holder, key) => {
    let value = holder[key];
    for (let level = 0; level < levels; level++) value = { any_of: [value] };
    set(holder, key, value);
  }),
];

/** Yields one body for each change at each place of `body`. */
export function* everyNearMiss(body: unknown): Generator {
  const places = placesIn({ body }).length;
  for (let place = 0; place < places; place++) {
    for (const change of CHANGES) yield changed(body, [{ place, change }]);
  }
}

/** Bodies as generated, or with up to two changes. */
export function nearMisses(body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({ place: fc.nat(), change: fc.constantFrom(...CHANGES) });
  return fc
    .record({ body, changes: fc.array(change, { maxLength: 2 }) })
    .map(({ body, changes }) => changed(body, changes));
}

function changed(body: unknown, changes: readonly { place: number; change: Change }[]): unknown {
  const root: Holder = { body: structuredClone(body) };
  for (const { place, change } of changes) {
    const places = placesIn(root);
    const found = places[place % places.length];
    if (found !== undefined) change(found.holder, found.key);
  }
  return root["body"] ?? null;
}

function placesIn(holder: Holder): { holder: Holder; key: string }[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...(typeof value === "object" && value !== null ? placesIn(value as Holder) : []),
  ]);
}

function isObject(value: unknown): value is Holder {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Defines `__proto__` as an own member. A plain assignment would set the prototype instead. */
function set(holder: Holder, key: string, value: unknown): void {
  const descriptor = { value: structuredClone(value), enumerable: true, writable: true, configurable: true };
  Object.defineProperty(holder, key, descriptor);
}

function remove(holder: Holder, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function repeatFirst(holder: Holder, key: string): void {
  const value = holder[key];
  if (Array.isArray(value) && value.length > 0) value.push(structuredClone(value[0]));
}
