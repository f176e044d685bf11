import { WithForeign } from "../design/base/foreign.js";
import { reasonSentence } from "./reason-sentences.js";
import "./reason-list.css";

interface ReasonListProps {
  codes: readonly string[];
  /** What decided for a code, in sentences. */
  notesOf?: (code: string) => readonly string[];
}

const noNotes = (): readonly string[] => [];

/** Reason codes in words, most decisive first; the code stays readable for whoever matches on it. */
export function ReasonList({ codes, notesOf = noNotes }: ReasonListProps) {
  return (
    <ul className="reasons">
      {codes.map((code) => (
        <li key={code} className="reason">
          <span>{reasonSentence(code) ?? "Set by a policy rule of yours."}</span>
          <code className="reason-code">{code}</code>
          {notesOf(code).map((note) => (
            <p key={note} className="reason-note muted">
              <WithForeign text={note} />
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}
