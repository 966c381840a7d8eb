/** Searches of orders whose results have several pages. */

const PAGE = 100;

/**
 * Reads the pages of a search, which lists the oldest orders first, up to the last page or to `max` pages.
 *
 * @param read reads the page with these parameters.
 * @returns the orders, and whether there may be more of them.
 */
export async function readPages<T extends { fulfillmentOrderId: string }>(
  max: number,
  read: (page: { pageSize: number; lastRecordId?: string }) => Promise<readonly T[]>,
): Promise<{ orders: T[]; isCut: boolean }> {
  const orders: T[] = [];
  for (let n = 0; n < max; n += 1) {
    const last = orders.at(-1)?.fulfillmentOrderId;
    const page = await read({ pageSize: PAGE, ...(last !== undefined && { lastRecordId: last }) });
    orders.push(...page);
    if (page.length < PAGE) return { orders, isCut: false };
  }
  return { orders, isCut: true };
}
