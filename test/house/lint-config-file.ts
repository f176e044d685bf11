import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import { LINT_CONFIG, lintConfig, type LintConfig } from "./lint-config.js";

/** The text that .oxlintrc.json must have, formatted. */
export async function freshLintConfig(root: string): Promise<string> {
  const config = lintConfig(JSON.parse(readFileSync(join(root, LINT_CONFIG), "utf8")) as LintConfig);
  const {
    $schema: _,
    ignorePatterns: __,
    ...options
  } = JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8")) as Record<string, unknown>;
  const { code, errors } = await format(LINT_CONFIG, JSON.stringify(config, null, 2), options);
  if (errors.length > 0) throw new SyntaxError(`${LINT_CONFIG}: ${errors[0]?.message}`);
  return code;
}
