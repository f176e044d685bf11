import { cursorIn, NEWEST, type ListCursor } from "../api/transport/list-cursor.js";
import { useAddress } from "./address.js";

/** Keeps the position in a list in the address, so that links and the back button lead to it. */
export function useListCursor(): { cursor: ListCursor | null; turnTo(cursor: ListCursor): void } {
  const { parameters, edit } = useAddress();
  return {
    cursor: cursorIn(parameters),
    turnTo: ({ direction, id }) => edit({ ...NEWEST, [direction]: id }),
  };
}
