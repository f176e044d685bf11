import { reasonSentence } from "./reason-sentences.js";
import "./reason-list.css";

/** Reason codes in words, most decisive first; the code stays readable for whoever matches on it. */
export function ReasonList({ codes }: { codes: readonly string[] }) {
  return (
    <ul className="reasons">
      {codes.map((code) => (
        <li key={code} className="reason">
          <span>{reasonSentence(code) ?? "Set by a policy rule of yours."}</span>
          <code className="reason-code">{code}</code>
        </li>
      ))}
    </ul>
  );
}
