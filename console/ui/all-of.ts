/** Makes a list of all values of a type of the contract. A list without a value does not compile. */
export const allOf =
  <T extends string>() =>
  <const L extends readonly T[]>(list: L & ([T] extends [L[number]] ? unknown : never)): L =>
    list;
