declare const written: unique symbol;

/** JSON text of a `T`. */
export type Json<T> = string & { readonly [written]: T };
