import { RANGES } from "../../domain/vocabulary/range.js";
import type { JsonSchema } from "./body-validator.js";
import { merchantIdSchema } from "./scalars.js";
import { modeParameter, pageSizeParameter } from "./query-schema.js";
import type { Parameter } from "./operation.js";

/** Parameters that several operations share. */

export const modeOfSession: Parameter = {
  schema: modeParameter,
  description: "Which mode a session reads. A key's mode is its own, whichever this names.",
};

/** LOG-4: the parameter `range`. Its schema has no enum, because an unknown value is not an error. */
export const range: Parameter = {
  schema: { type: "string", default: "all", examples: RANGES },
  description: "24h, 7d, 30d, 90d or all; an unknown value falls back to all.",
};

/** LOG-20: the interval that may replace `range`. */
export const interval: Readonly<Record<"from" | "to", Parameter>> = {
  from: {
    schema: { type: "string", format: "iso-8601" },
    description: "Only decisions at or after this time. Not together with range.",
  },
  to: {
    schema: { type: "string", format: "iso-8601" },
    description: "Only decisions before this time, which is after from. Not together with range.",
  },
};

export const merchantInPath: Parameter = { schema: merchantIdSchema, description: "Of the workspace." };

export function providerInPath(description: string): Parameter {
  return { schema: { type: "string" }, description };
}

/** LIST-3: the cursors of a list whose newest row is first. */
export function cursors(id: JsonSchema, row: string): Readonly<Record<string, Parameter>> {
  return {
    starting_after: {
      schema: id,
      description: `Rows older than that ${row}. A well-formed id that is unknown answers an empty page.`,
    },
    ending_before: {
      schema: id,
      description: `The adjacent rows newer than that ${row}, newest first; not together with starting_after.`,
    },
  };
}

/** LIST-3, ADM-14: the cursors of a list in ascending order. */
export function orderedCursors(key: JsonSchema, row: string): Readonly<Record<string, Parameter>> {
  return {
    starting_after: {
      schema: key,
      description: `Rows after that ${row}. A well-formed one that is unknown answers an empty page.`,
    },
    ending_before: {
      schema: key,
      description: `The adjacent rows before that ${row}, in the same order; not together with starting_after.`,
    },
  };
}

/** The parameters of a list: its cursors, and `page_size`. The description calls its rows `rows`. */
export function pageParameters(
  id: JsonSchema,
  row: string,
  rows: string,
): Readonly<Record<string, Parameter>> {
  return { page_size: { schema: pageSizeParameter, description: `${rows} of a page.` }, ...cursors(id, row) };
}
