import { cursorIn, NEWEST, type ListCursor } from "../api/transport/list-cursor.js";
import { useAddress } from "./address.js";

/** A list's place in the address, so that a link and the back button lead there. */
export function useListCursor(): { cursor: ListCursor | null; turnTo(cursor: ListCursor): void } {
  const { parameters, edit } = useAddress();
  return {
    cursor: cursorIn(parameters),
    turnTo: ({ direction, id }) => edit({ ...NEWEST, [direction]: id }),
  };
}
