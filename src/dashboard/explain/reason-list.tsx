import { WithForeign } from "../design/base/foreign.js";
import { reasonSentence } from "./reason-sentences.js";
import "./reason-list.css";

interface ReasonListProps {
  codes: readonly string[];
  /** Returns sentences that say why a code applies. */
  notesOf?: (code: string) => readonly string[];
}

const noNotes = (): readonly string[] => [];

/** Shows reason codes in words, most decisive first. The code itself stays visible for people who match on it. */
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
