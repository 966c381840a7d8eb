/** Returns whether the pick of an order has not begun, so that its due time is the due time of the start. */
export function isBeforePick(status: string): boolean {
  return status === '1100';
}
