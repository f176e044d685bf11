declare const written: unique symbol;

/** The JSON text of a `T`. */
export type Json<T> = string & { readonly [written]: T };
