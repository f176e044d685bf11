import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import * as lists from "../../../src/domain/vocabulary/vocabulary.js";
import type { TypeFile } from "./type-file.js";
import { wireTypes } from "./wire-types.js";

const TYPE_OF_LIST = /^export type (\w+) = \(typeof (\w+)\)\[number\];$/gm;

/** The texts that the generated files must have, formatted. */
export async function freshWireTypes(root: string): Promise<Pick<TypeFile, "path" | "text">[]> {
  const { printWidth } = JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8")) as {
    printWidth: number;
  };
  const fresh = [];
  for (const { path, text } of wireTypes(vocabularyTypes(root))) {
    const { code, errors } = await format(path, text, { printWidth });
    if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`);
    fresh.push({ path, text: code });
  }
  return fresh;
}

/** Reads the source text, because compiled code has no names of types. */
function vocabularyTypes(root: string): Map<string, readonly string[]> {
  const source = readFileSync(join(root, "src/domain/vocabulary/vocabulary.ts"), "utf8");
  const typeOf = new Map([...source.matchAll(TYPE_OF_LIST)].map(([, type = "", list = ""]) => [list, type]));
  return new Map(
    Object.entries(lists).flatMap(([list, values]) => {
      const type = typeOf.get(list);
      return type === undefined ? [] : [[type, values] as const];
    }),
  );
}
