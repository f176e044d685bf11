import { idFromHex, idToUuid } from "../../../src/domain/ids/ids.js";

/** The examples show this time for every moment of the recording. Later and earlier times are whole hours away. */
const NOW = "2026-11-20T18:13:45.217Z";
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A recording takes less than this. Times in the calls themselves are years away. */
const RECORDING_MS_MAX = 600_000;
const DAYS_AWAY_MAX = 100;

const ID = /\b([a-z]{2,4})_([0-7][0-9a-hjkmnp-tv-z]{25})\b/g;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;
const MONTH = /^\d{4}-\d{2}$/;
const SECRETS: readonly [secret: RegExp, placeholder: string][] = [
  [/\bpi_(live|test)_[0-9a-f]{64}\b/g, `pi_$1_${"0123456789abcdef".repeat(4)}`],
  [/\bpi_(live|test)_[0-9a-f]{16}\b/g, "pi_$1_0123456789abcdef"],
  // A secret of one-time codes, and a recovery code.
  [/\b[A-Z2-7]{32}\b/g, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
  [/\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b/g, "abcd-efgh-ijkl-mnop"],
  [/^[0-9a-f]{64}$/g, "0123456789abcdef".repeat(4)],
  [/\bwhsec_[\w+/=-]+/g, "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
];
/** The placeholder for every token, such as a session's or an invitation's. */
const TOKEN = "example_of_a_token";

/** The placeholders for the service's measurements of itself. */
const FIGURES: Readonly<Record<string, number>> = {
  // The bytes of an export, whose rows contain latencies.
  bytes: 3360,
  decision_latency_ms: 1.5,
  avg_latency_ms: 1.5,
  p50_latency_ms: 1.25,
  p95_latency_ms: 3,
  p99_latency_ms: 4.5,
  duration_ms: 1.5,
};
const NODE_ID = "01m7x2m6000000000000000001";
/** Lists whose first items tell a reader enough. */
const CUT_LISTS: ReadonlySet<string> = new Set(["providers", "integrations", "series"]);
const CUT_TO = 2;

/**
 * Replaces everything that differs at each start by fixed values: ids, secrets, times, measured figures. So two
 * recordings are the same. An id has the same placeholder in all examples, even where it is written as a UUID.
 */
export function createPlaceholders(startedMs: number): (value: unknown) => unknown {
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();

  const idPart = (prefix: string, part: string): string => {
    let placeholder = ids.get(part);
    if (placeholder === undefined) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      placeholder = `01m7x2m6${String(count).padStart(18, "0")}`;
      ids.set(part, placeholder);
    }
    return placeholder;
  };
  const fixedTime = (time: string): string => {
    const atMs = Date.parse(time);
    // The steps of a series begin at midnight.
    const [fromMs, toMs] =
      atMs % DAY_MS === 0
        ? [startedMs - (startedMs % DAY_MS), Date.parse(NOW.slice(0, 10))]
        : [startedMs, Date.parse(NOW)];
    // Expirations are whole hours or days later.
    const awayMs = HOUR_MS * Math.round((atMs - fromMs) / HOUR_MS);
    const isRecorded =
      Math.abs(awayMs) <= DAYS_AWAY_MAX * DAY_MS && Math.abs(atMs - fromMs - awayMs) <= RECORDING_MS_MAX;
    return isRecorded ? new Date(toMs + awayMs).toISOString() : time;
  };
  const fixedText = (text: string): string => {
    let fixed = text
      .replaceAll(ID, (_, prefix: string, part: string) => `${prefix}_${idPart(prefix, part)}`)
      .replaceAll(UUID, (uuid) => idToUuid(`dec_${idPart("dec", idFromHex("dec", uuid).slice(-26))}`))
      .replaceAll(TIME, fixedTime);
    for (const [secret, placeholder] of SECRETS) fixed = fixed.replaceAll(secret, placeholder);
    const month = new Date(startedMs).toISOString().slice(0, 7);
    return MONTH.test(fixed) && fixed === month ? NOW.slice(0, 7) : fixed;
  };
  const fixedMember = (name: string, value: unknown, siblings: object): unknown => {
    // `p95_latency_ms` is also the name of a provider's latency, which is not measured.
    const isMeasured = name !== "p95_latency_ms" || "avg_latency_ms" in siblings;
    if (typeof value === "number" && isMeasured) return FIGURES[name] ?? value;
    if (name === "node_id" && typeof value === "string") return NODE_ID;
    if (name === "token" && typeof value === "string") return TOKEN;
    if (name === "code" && typeof value === "string" && /^\d{6}$/.test(value)) return "123456";
    if (name === "entry_base64" && typeof value === "string") {
      return Buffer.from(fixedText(Buffer.from(value, "base64").toString())).toString("base64");
    }
    return fixed(CUT_LISTS.has(name) && Array.isArray(value) ? value.slice(0, CUT_TO) : value);
  };
  const fixed = (value: unknown): unknown => {
    if (typeof value === "string") return fixedText(value);
    if (Array.isArray(value)) return value.map(fixed);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]: [string, unknown]) => [name, fixedMember(name, item, value)]),
    );
  };
  return fixed;
}
