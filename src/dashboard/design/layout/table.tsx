import type { ReactNode } from "react";
import "./table.css";

export interface Column<Row> {
  key: string;
  title: string;
  isNumeric?: boolean;
  cell(row: Row): ReactNode;
}

interface TableProps<Row> {
  /** Says what the table lists, for people who cannot see its panel. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** The key of the row that is open elsewhere on the page. */
  currentKey?: string | null;
}

/** A table of rows of one kind. It scrolls sideways in its frame, also with the keyboard, so the page never does. */
export function Table<Row>({ caption, columns, rows, keyOf, currentKey = null }: TableProps<Row>) {
  return (
    <section className="table-frame" aria-label={`Table: ${caption}`} tabIndex={0}>
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, isNumeric }) => (
              <th key={key} scope="col" className={isNumeric === true ? "numeric" : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} aria-current={keyOf(row) === currentKey ? "true" : undefined}>
              {columns.map(({ key, isNumeric, cell }) => (
                <td key={key} data-column={key} className={isNumeric === true ? "numeric" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
