import { Fragment } from "react";
import { balanced, isolatedParts } from "./isolated.js";
import "./foreign.css";

/** About as many characters as a table's cell shows. */
const CUT_CHARS = 24;

/**
 * DASH-9: shows text that somebody else wrote, such as an order's id, a rule's name or an address. The writing
 * direction of the text is isolated, so the text cannot reorder the words around it. It wraps if there is no room. A
 * table truncates it and shows the full text on hover.
 */
export function Foreign({ text }: { text: string }) {
  return (
    <bdi className="foreign" title={text.length > CUT_CHARS ? text : undefined}>
      {balanced(text)}
    </bdi>
  );
}

/** Shows a sentence and renders its `isolated` parts as `Foreign`. */
export function WithForeign({ text: sentence }: { text: string }) {
  return isolatedParts(sentence).map(({ place, text, isForeign }) => (
    <Fragment key={place}>{isForeign ? <Foreign text={text} /> : text}</Fragment>
  ));
}
