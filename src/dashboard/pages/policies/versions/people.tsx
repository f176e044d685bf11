import { createContext, use } from "react";
import { Foreign } from "../../../design/base/foreign.js";

const NamesContext = createContext<(actor: string) => string | null>(() => null);

/** Provides the names of people and keys to the parts of the page. */
export const NamesProvider = NamesContext;

/** Shows who did something to a version. Null means that the service does not know. */
export function Person({ actor }: { actor: string | null }) {
  const name = use(NamesContext)(actor ?? "");
  if (actor === null) return <span className="muted">unknown</span>;
  return (
    <span title={actor}>
      {name !== null ? (
        <Foreign text={name} />
      ) : actor.startsWith("key_") ? (
        "an API key"
      ) : (
        "somebody no longer here"
      )}
    </span>
  );
}
