import { losesFraction } from "../../../domain/vocabulary/written-number.js";
import { csvRecords } from "./csv-records.js";
import { isolated } from "../../design/base/isolated.js";

/** One price in its submitted form. The service checks it. */
export type RuleText = Readonly<Record<string, unknown>>;

export type ParsedRules =
  | {
      ok: true;
      format: "json" | "csv";
      rules: readonly RuleText[];
      /** The contract's other fields, if the text is a JSON body. */
      contract: { name?: string; from?: string; to?: string; replace?: boolean };
      /** The rules that could not be parsed, by their positions. */
      issues: readonly RowIssue[];
    }
  | { ok: false; message: string };

export interface RowIssue {
  index: number;
  message: string;
}

/**
 * PRICE-2: the columns of a rule in CSV. `tiers` has entries `amount_gte:percentage_bps:fixed_minor`, separated by
 * white space or `;`.
 */
export const RULE_COLUMNS = [
  "provider",
  "payment_method",
  "card_network",
  "country",
  "currency",
  "percentage_bps",
  "fixed_minor",
  "min_fee_minor",
  "max_fee_minor",
  "tiers",
] as const;
const REQUIRED = ["provider", "payment_method", "currency", "percentage_bps", "fixed_minor"] as const;
const NUMBERS: ReadonlySet<string> = new Set([
  "percentage_bps",
  "fixed_minor",
  "min_fee_minor",
  "max_fee_minor",
]);

/**
 * Parses a pasted text or a file into rules. A text that looks like JSON is parsed as JSON. Any other text is CSV
 * with a header line.
 */
export function parseContractText(text: string): ParsedRules {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  return /^[[{]/.test(trimmed) ? parseJson(trimmed) : parseCsv(trimmed);
}

/** Parses a list of rules, or a whole body of POST /v1/pricing/rules. */
function parseJson(text: string): ParsedRules {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, message: "This is not JSON." };
  }
  const body = (Array.isArray(value) ? { rules: value } : value) as Record<string, unknown>;
  const { rules, contract_name, effective_from, effective_to, replace } = body;
  if (!Array.isArray(rules)) return { ok: false, message: "rules: a list is expected." };
  const issues = rules.flatMap((rule, index) =>
    typeof rule === "object" && rule !== null && !Array.isArray(rule)
      ? []
      : [{ index, message: "A rule is an object" }],
  );
  return {
    ok: true,
    format: "json",
    rules: rules as RuleText[],
    contract: {
      ...(typeof contract_name === "string" ? { name: contract_name } : {}),
      ...(typeof effective_from === "string" ? { from: effective_from } : {}),
      ...(typeof effective_to === "string" ? { to: effective_to } : {}),
      ...(typeof replace === "boolean" ? { replace } : {}),
    },
    issues,
  };
}

function parseCsv(text: string): ParsedRules {
  const records = csvRecords(text);
  if (records === null) return { ok: false, message: "A quotation mark is not closed." };
  const [head = [], ...rows] = records;
  const columns = head.map((name) => name.trim().toLowerCase());
  const unknown = columns.find((name) => !(RULE_COLUMNS as readonly string[]).includes(name));
  if (unknown !== undefined)
    return { ok: false, message: `The first line names columns; “${isolated(unknown)}” is none of a price.` };
  const missing = REQUIRED.find((name) => !columns.includes(name));
  if (missing !== undefined) return { ok: false, message: `The column ${missing} is missing.` };
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) return { ok: false, message: `The column ${twice} is there twice.` };
  const issues: RowIssue[] = [];
  const rules = rows.map((cells, index) => {
    if (cells.length !== columns.length)
      issues.push({ index, message: `${cells.length} cells where the head has ${columns.length}` });
    return Object.fromEntries(
      columns.flatMap((name, at): [string, unknown][] => {
        const cell = (cells[at] ?? "").trim();
        return cell === "" ? [] : [[name, cellValue(name, cell)]];
      }),
    );
  });
  return { ok: true, format: "csv", rules, contract: {}, issues };
}

/** A value stays text if it is not a number, or if a number could not hold its digits. The service then refuses it. */
function cellValue(name: string, cell: string): unknown {
  if (NUMBERS.has(name)) return numberOr(cell);
  if (name !== "tiers") return cell;
  return cell.split(/[\s;]+/).map((tier) => {
    const [amount_gte = "", percentage_bps = "", fixed_minor = ""] = tier.split(":");
    return {
      amount_gte: numberOr(amount_gte),
      percentage_bps: numberOr(percentage_bps),
      fixed_minor: numberOr(fixed_minor),
    };
  });
}

function numberOr(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) && !losesFraction(text) ? Number(text) : text;
}
