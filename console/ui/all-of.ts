/** Makes a list of all values of a type of the contract. If the list lacks a value of the type, it does not compile. */
export const allOf =
  <T extends string>() =>
  <const L extends readonly T[]>(list: L & ([T] extends [L[number]] ? unknown : never)): L =>
    list;
