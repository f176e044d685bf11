import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { ActionOption } from "../../../../src/domain/policy/action-row.js";
import { ACTION_TYPES, actionRow, type ActionType } from "../../../../src/domain/policy/action-rows.js";

const PAGE = new URL("../../../../../docs/contract/actions.md", import.meta.url);

function valuesOf(option: ActionOption): string {
  switch (option.kind) {
    case "providers":
      return "providers";
    case "reason_code":
      return "UPPER_SNAKE";
    case "provider_reason_codes":
      return "reason codes of providers";
    case "weights":
      return "whole percentages by provider";
    case "flag":
      return "true, false";
    case "choice":
      return option.values.join(", ");
    case "number":
      return `${option.bounds[0]} to ${option.bounds[1]}${option.isInteger ? ", whole" : ""}`;
  }
}

function absenceOf(option: ActionOption): string {
  if (option.presence === "required") return "no";
  return "default" in option ? `yes: ${option.default}` : "yes";
}

function linesOf(type: ActionType): string[] {
  const { alias, options } = actionRow(type);
  const name = alias === undefined ? `\`${type}\`` : `\`${type}\` (\`${alias}\`)`;
  return Object.entries(options).map(
    ([option, row]) => `| ${name} | \`${option}\` | ${valuesOf(row)} | ${absenceOf(row)} |`,
  );
}

describe("docs/contract/actions.md", () => {
  it("RULE-1, RULE-2, RULE-3, RULE-4, RULE-5, RULE-6, RULE-7, RULE-8, RULE-9, RULE-10, RULE-13: has the table of all options, as the service knows them", () => {
    const shown = readFileSync(PAGE, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    assert.deepEqual(shown, ACTION_TYPES.flatMap(linesOf));
  });
});
