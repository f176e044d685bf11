import { EXPORT_KINDS } from "../../../domain/vocabulary/vocabulary.js";
import { parseTimestamp } from "../../../domain/vocabulary/timestamp.js";
import { createValidator, type Validated } from "../../../platform/wire/body-validator.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";
import { FILTER_NAMES, KIND_FILTERS, newExportSchema, type NewExportBody } from "./export-schema.js";

const validator = createValidator<NewExportBody>(newExportSchema, { isRare: true });

/** EXP-1, EXP-2: checks the schema, and then the rules that the schema cannot express. */
export function parseNewExport(text: string): Validated<NewExportBody> {
  const parsed = validator.parse(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const issues: ValidationIssue[] = [];
  if (momentMs(value.to) <= momentMs(value.from)) {
    issues.push({ path: "to", code: "custom", message: "Must be after from" });
  }
  const own = KIND_FILTERS[value.kind] ?? [];
  for (const path of FILTER_NAMES) {
    if (value[path] === undefined || own.includes(path)) continue;
    const kinds = EXPORT_KINDS.filter((kind) => KIND_FILTERS[kind]?.includes(path));
    issues.push({ path, code: "custom", message: `Only for kind ${kinds.join(" or ")}` });
  }
  const { amount_min: least, amount_max: most } = value;
  if (least !== undefined && most !== undefined && most < least) {
    issues.push({ path: "amount_max", code: "custom", message: "Must not be below amount_min" });
  }
  // PostgreSQL accepts no text with U+0000, and no order id contains it.
  if (value.order_id?.includes("\0") === true) {
    issues.push({ path: "order_id", code: "invalid_string", message: "Invalid format" });
  }
  return issues.length === 0 ? parsed : { ok: false, issues };
}

/**
 * Reads a timestamp as Unix milliseconds. Times before 1970 become 0, because no id is older. The schema has already
 * checked the text.
 */
export function momentMs(text: string): number {
  return Math.max(0, parseTimestamp(text) ?? 0);
}
