const NAME_CHARS_MAX = 80;

/** Makes a rule's name from its sentence in a short safe form: `Block over 5000 USD from guests`. */
export function ruleName(sentence: string): string {
  const words = sentence
    .replace(/[^\p{L}\p{N}\p{Sc} _.,:%/+'-]+/gu, " ")
    .split(" ")
    .filter((word) => word !== "");
  const short = words.filter(
    (word, i) => i === 0 || !/^(?:payments?|transactions?|the|an?|please)$/i.test(word),
  );
  let name = "";
  for (const word of short) {
    if (name.length + word.length >= NAME_CHARS_MAX) break;
    name += name === "" ? word : ` ${word}`;
  }
  name ||= (short[0] ?? "Rule").slice(0, NAME_CHARS_MAX);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Adds a number to a name that is taken. LINT-4 warns of duplicate names. */
export function unusedName(name: string, used: ReadonlySet<string>): string {
  let candidate = name;
  for (let n = 2; used.has(candidate); n++) candidate = `${name} (${n})`;
  return candidate;
}
