import type { ContractUpload } from "../../api/pricing.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { instantOf } from "../../design/base/zone-time.js";
import type { ParsedRules } from "./contract-text.js";
import type { RuleRow } from "./rules-table.js";

/** The fields of a contract in addition to its rules. Times are `datetime-local` values in the chosen zone. */
export interface ContractHead {
  name: string;
  from: string;
  to: string;
  replace: boolean;
}

/** Converts a field to ISO 8601 UTC. An empty or invalid field gives undefined. */
function toTimestamp(field: string, zone: string): string | undefined {
  const atMs = instantOf(field, zone);
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

export function toUpload(
  merchantId: string,
  { name, from, to, replace }: ContractHead,
  rules: readonly unknown[],
  zone: string,
): ContractUpload {
  const end = toTimestamp(to, zone);
  return {
    merchant_id: merchantId,
    contract_name: name,
    effective_from: toTimestamp(from, zone) ?? "",
    ...(end === undefined ? {} : { effective_to: end }),
    replace,
    rules,
  };
}

/** An issue that the service reported, or that parsing the file found. */
interface Issue {
  path: string;
  message: string;
  severity: "error" | "warning";
}

/** Pairs the rules of a file with their issues. Rules with issues come first. */
export function rowsOf(
  parsed: Extract<ParsedRules, { ok: true }>,
  issues: readonly Issue[],
): { rows: RuleRow[]; others: Issue[] } {
  const byRule = new Map<number, RuleRow["issues"][number][]>();
  const note = (index: number, issue: RuleRow["issues"][number]): void => {
    byRule.set(index, [...(byRule.get(index) ?? []), issue]);
  };
  for (const { index, message } of parsed.issues) note(index, { message, severity: "error" });
  const others: Issue[] = [];
  for (const issue of issues) {
    const [, index, field] = /^rules\.(\d+)(?:\.(.*))?$/.exec(issue.path) ?? [];
    if (index === undefined) others.push(issue);
    else {
      const message = field === undefined ? issue.message : `${field}: ${issue.message}`;
      note(Number(index), { message: messageOf(message), severity: issue.severity });
    }
  }
  const rows = parsed.rules.map((rule, index) => ({
    index,
    rule: objectOf(rule),
    issues: byRule.get(index) ?? [],
  }));
  return {
    rows: rows.toSorted((a, b) => Number(b.issues.length > 0) - Number(a.issues.length > 0)),
    others,
  };
}

/** People count rules from 1. */
function messageOf(message: string): string {
  return message.replaceAll(/rules\.(\d+)/g, (_, index: string) => `rule ${Number(index) + 1}`);
}

function objectOf(rule: unknown): RuleRow["rule"] {
  return typeof rule === "object" && rule !== null ? (rule as RuleRow["rule"]) : {};
}

/** Returns an error if the service would refuse this number of rules, or null. */
export function countError(count: number): string | null {
  if (count === 0) return "There is no price in it.";
  if (count > LIMITS.rulesPerContractMax)
    return `A contract holds at most ${LIMITS.rulesPerContractMax} prices; this has ${count}.`;
  return null;
}
