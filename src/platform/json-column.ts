/** JSON in columns of the database: text that carries the type of its value. */

declare const value: unique symbol;

/** JSON text of a `T`. `stringifyJson` makes it, `readJson` and `parseJson` read it. */
export type Json<T> = string & { readonly [value]: T };

/**
 * Types of columns by name. The module with a type adds the type here by declaration merging, so that the tables do not
 * import the module.
 * @public
 */
export interface Shapes {
  Headers: Record<string, string | string[]>;
}

/** The type with the name `Name` in `Shapes`. */
export type Shape<Name extends string> = Name extends keyof Shapes ? Shapes[Name] : unknown;

/** A list without elements. */
export const EMPTY_LIST = '[]' as Json<never[]>;

/**
 * Reads the value of a column. Numbers become doubles. Use `parseJson` of message/json.ts for values that callers sent
 * and that responses must show with the same digits.
 */
export function readJson<T>(text: Json<T>): T {
  return JSON.parse(text) as T;
}
