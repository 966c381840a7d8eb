/** A text that can be the number of an order, a parcel or a ticket. The service rejects a filter by another text. */
export const IDENTIFIER = /^(?!\.{1,2}$)[^\p{Cc}\p{Cf}]{1,40}$/u;
