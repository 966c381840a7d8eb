/** The reading of the counter's lists, without a browser. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPages } from '../../console/work/pages.ts';

/** Returns a search of `count` orders, and the parameters of each request to it. */
function searchOf(count: number) {
  const orders = Array.from({ length: count }, (_, n) => ({ fulfillmentOrderId: `O${n}` }));
  const asked: { pageSize: number; lastRecordId?: string }[] = [];
  const read = async (page: { pageSize: number; lastRecordId?: string }) => {
    asked.push(page);
    const from = orders.findIndex(({ fulfillmentOrderId }) => fulfillmentOrderId === page.lastRecordId) + 1;
    return orders.slice(from, from + page.pageSize);
  };
  return { orders, asked, read };
}

it('reads every order of a search once and in order, and only says that there are more if it did not read all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 650 }), fc.integer({ min: 1, max: 6 }), async (count, max) => {
      const { orders, asked, read } = searchOf(count);
      const found = await readPages(max, read);
      expect(found.orders).toEqual(orders.slice(0, max * 100));
      expect(asked.length).toBe(Math.min(max, Math.floor(count / 100) + 1));
      if (found.orders.length < count) expect(found.isCut).toBe(true);
      if (count < max * 100) expect(found.isCut).toBe(false);
    }),
  );
});
