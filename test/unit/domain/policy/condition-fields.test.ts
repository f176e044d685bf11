import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { CONDITION_FIELDS } from "../../../../src/domain/policy/condition-fields.js";
import {
  CONDITION_FIELD_NAMES,
  CONDITION_OPERATORS,
} from "../../../../src/domain/policy/condition-vocabulary.js";

const PAGE = new URL("../../../../../docs/contract/conditions.md", import.meta.url);
const cell = (text: string): string => text.replaceAll("|", "\\|");

function lineOf(field: (typeof CONDITION_FIELD_NAMES)[number]): string {
  const row = CONDITION_FIELDS[field];
  const suffixes = CONDITION_OPERATORS[row.kind].map((operator) => `\`_${operator}\``).join(" ");
  const values = (): string => {
    switch (row.kind) {
      case "number":
        return `${row.bounds[0]} to ${row.bounds[1]}`;
      case "list":
      case "set":
        return typeof row.values === "string" ? row.values.replaceAll("_", " ") : row.values.join(", ");
      case "flag":
        return "true, false";
      case "prefix":
        return "text";
      case "sample":
        return "0 to 9999";
      case "provider_states":
        return "states of a provider";
    }
  };
  return `| \`${field}\` | ${suffixes} | ${cell(values())} | ${row.optional ? "yes" : "no"} |`;
}

describe("docs/contract/conditions.md", () => {
  it("COND-8, COND-9, COND-10, COND-11, COND-12, COND-15, COND-16: has the table of all fields, as the service knows them", () => {
    const lines = CONDITION_FIELD_NAMES.map(lineOf);
    const shown = readFileSync(PAGE, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    assert.deepEqual(shown, lines);
  });
});
