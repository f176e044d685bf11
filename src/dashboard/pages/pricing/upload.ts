import type { ContractUpload } from "../../api/pricing.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import type { ParsedRules } from "./contract-text.js";
import type { RuleRow } from "./rules-table.js";

/** The fields of a contract beside its rules. Times are `datetime-local` values in UTC. */
export interface ContractHead {
  name: string;
  from: string;
  to: string;
  replace: boolean;
}

/** Formats Unix milliseconds as `2026-11-20T18:30`. */
export function toField(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16);
}

/** Converts back to ISO 8601 UTC. An empty field gives undefined. */
export function toTimestamp(field: string): string | undefined {
  if (field === "") return undefined;
  const at = new Date(`${field}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function toUpload(
  merchantId: string,
  { name, from, to, replace }: ContractHead,
  rules: readonly unknown[],
): ContractUpload {
  const end = toTimestamp(to);
  return {
    merchant_id: merchantId,
    contract_name: name,
    effective_from: toTimestamp(from) ?? "",
    ...(end === undefined ? {} : { effective_to: end }),
    replace,
    rules,
  };
}

/** An issue from the service or from the file itself. */
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

/** Returns an error that is known before the service is asked. */
export function countError(count: number): string | null {
  if (count === 0) return "There is no price in it.";
  if (count > LIMITS.rulesPerContractMax)
    return `A contract holds at most ${LIMITS.rulesPerContractMax} prices; this has ${count}.`;
  return null;
}
