import { Fragment } from "react";
import { balanced, isolatedParts } from "./isolated.js";
import "./foreign.css";

/** About as many as a table's cell shows. */
const CUT_CHARS = 24;

/**
 * DASH-9: text that somebody else wrote: an order's id, a rule's name, an address. Its direction ends with it, so it cannot
 * turn the words around it. It breaks where there is no room for it. In a table it is cut, and told in full when pointed at.
 */
export function Foreign({ text }: { text: string }) {
  return (
    <bdi className="foreign" title={text.length > CUT_CHARS ? text : undefined}>
      {balanced(text)}
    </bdi>
  );
}

/** A sentence in which others' words are `isolated`, with those words as `Foreign`. */
export function WithForeign({ text: sentence }: { text: string }) {
  return isolatedParts(sentence).map(({ place, text, isForeign }) => (
    <Fragment key={place}>{isForeign ? <Foreign text={text} /> : text}</Fragment>
  ));
}
