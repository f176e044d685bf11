import type { Column } from "./columns.js";

/** A spreadsheet treats a cell that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** EXP-6: formats a line of CSV by RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

export function csvHeader(columns: readonly Column[]): string {
  return csvLine(columns.map(({ name }) => name));
}

export function csvRow(columns: readonly Column[], row: never): string {
  return csvLine(columns.map((column) => cellOf(column.of(row))));
}

/** Negative numbers begin with a minus sign, but stay numbers. */
function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return FORMULA.test(value) ? `'${value}` : value;
}

function quoted(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
