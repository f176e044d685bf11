/**
 * Parses RFC 4180. The separator is a comma, or a semicolon if the first line has more semicolons than commas. Returns
 * null if a quotation mark is never closed.
 */
export function csvRecords(text: string): string[][] | null {
  const [firstLine = ""] = text.split(/\r?\n/, 1);
  const separator = firstLine.split(";").length > firstLine.split(",").length ? ";" : ",";
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRecord = (): void => {
    record.push(cell);
    // A blank line is no record.
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator) {
      record.push(cell);
      cell = "";
    } else if (character === "\n") endRecord();
    else if (character !== "\r") cell += character;
  }
  if (isQuoted) return null;
  endRecord();
  return records;
}
