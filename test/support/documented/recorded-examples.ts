import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { operationsBySubject } from "../../../src/features/docs/documented-operations.js";
import { requestSchemas } from "../../../src/features/docs/request-schemas.js";
import type { Examples, OperationExamples } from "../../../src/platform/wire/operation.js";

/** `npm run record-examples` sets this variable. The tests then write recorded replies instead of comparing them. */
export const IS_RECORDING = process.env["RECORD_EXAMPLES"] === "1";

/** The path of the repository from dist/test/support/documented. */
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

const fileOf = (subject: string): string => join(ROOT, "src/features", subject, "examples.json");

/** Groups the examples by subject, in the order of its operations. Subjects without an example are left out. */
export function bySubject(recorded: ReadonlyMap<string, OperationExamples>): [string, Examples][] {
  return Object.entries(operationsBySubject(requestSchemas([]))).flatMap(([subject, operations]) => {
    const examples = Object.values(operations).flatMap(({ operationId }) => {
      const found = recorded.get(operationId);
      if (found === undefined) return [];
      const { request, responses } = found;
      return [[operationId, request === undefined ? { responses } : { request, responses }] as const];
    });
    return examples.length === 0 ? [] : [[subject, Object.fromEntries(examples)] as [string, Examples]];
  });
}

export function keptExamples(subject: string): unknown {
  const file = fileOf(subject);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

export async function keepExamples(subject: string, examples: Examples): Promise<void> {
  const { format } = await import("oxfmt");
  const { printWidth } = JSON.parse(readFileSync(join(ROOT, ".oxfmtrc.json"), "utf8")) as {
    printWidth: number;
  };
  const file = fileOf(subject);
  const { code, errors } = await format(file, JSON.stringify(examples), { printWidth });
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  writeFileSync(file, code);
}
