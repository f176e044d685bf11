import type { JsonSchema } from "../../platform/wire/body-validator.js";
import { merchantIdSchema } from "../../platform/wire/scalars.js";
import { modeParameter } from "../../platform/wire/query-schema.js";
import type { Parameter } from "../../platform/wire/operation.js";

/** Parameters of several operations. */

export const modeOfSession: Parameter = {
  schema: modeParameter,
  description: "Which mode a session reads. A key's mode is its own, and this is ignored.",
};

/** LOG-4: GET /v1/decisions: not an enum, since an unknown value is no error. */
export const range: Parameter = {
  schema: { type: "string", default: "all", examples: ["24h", "7d", "30d", "90d", "all"] },
  description: "24h, 7d, 30d, 90d or all; an unknown value falls back to all.",
};

export const merchantInPath: Parameter = { schema: merchantIdSchema, description: "Of the workspace." };

/** POL-17. */
export const ifMatchLive: Parameter = {
  schema: { type: "string", examples: ['"pol_01m7x2m71k0p2cpq1pn69aabtq"', '"none"', "*"] },
  description:
    "The ETag of the live policy that the request was made against, a list of them, or * for any. Where another policy is live nothing is done.",
};
export const liveEtag: Parameter = {
  schema: { type: "string" },
  description:
    "Names the merchant's live policy, for If-Match. It changes when another policy becomes the live one, and only then.",
};

export function providerInPath(description: string): Parameter {
  return { schema: { type: "string" }, description };
}

/** LIST-3. */
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
