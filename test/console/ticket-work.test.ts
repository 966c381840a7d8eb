/** The rules of the pick screen without a browser. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  indexOf,
  isKnown,
  judgeScan,
  needless,
  nextOpen,
  nextTote,
  sharesOf,
} from '../../console/jobs/pick/ticket-work.ts';
import type { Kept } from '../../console/offline/commands.ts';
import { accepted } from '../../console/offline/settle.ts';
import { type ItemView, type TicketSnapshot, ticketView } from '../../console/offline/view.ts';
import { linesOfCode } from '../../console/scan/lines-of-code.ts';
import { splitOf, toteOf } from '../../src/kernel/tickets/split.ts';

interface Wish {
  id: number;
  sku?: string;
  upcs?: readonly string[];
  place?: string;
  parts?: readonly string[];
  /** Units of each order. */
  orders?: readonly number[];
  /** Units of each order that its customer has canceled. */
  withdrawn?: readonly number[];
  picked?: number;
  canceled?: number;
}

const sumOf = (units: readonly number[]) => units.reduce((sum, one) => sum + one, 0);

function itemOf(wish: Wish) {
  const { id, sku = `21-ITEM-${id}`, upcs = [], place, parts, orders = [2], picked = 0, canceled = 0 } = wish;
  const { withdrawn = [] } = wish;
  const quantity = sumOf(orders);
  const details = { itemId: sku, itemDesc: `Item ${id}`, upcs: upcs.map((value) => ({ type: 'UPC', value })) };
  return {
    id,
    quantity,
    picked,
    canceled,
    left: quantity - picked - canceled,
    item: {
      id,
      quantity,
      itemDetails: details,
      ...(place !== undefined && { pickLocation: place }),
      ...(parts !== undefined && {
        components: parts.map((code) => ({
          itemId: `21-${code}`,
          itemDesc: code,
          upcs: [{ type: 'UPC', value: code }],
        })),
      }),
      orders: orders.map((units, index) => ({
        fulfillmentOrderId: `O${index}`,
        tote: toteOf(index),
        quantity: units,
        customerCanceledQuantity: withdrawn[index] ?? 0,
      })),
      customerCanceledQuantity: sumOf(withdrawn),
    },
  } as unknown as ItemView;
}

const MUG = '400000000046';
const judge = (items: readonly ItemView[], code: string, shown?: number) => {
  const { kind, ...rest } = judgeScan(items, indexOf(items), code, shown);
  return [kind, 'item' in rest ? rest.item.id : undefined];
};

describe('what a scan means', () => {
  const items = [
    itemOf({ id: 1, upcs: [MUG], place: 'A-01-1' }),
    itemOf({ id: 2, upcs: ['400000000015'], place: 'A-01-2', orders: [1], picked: 1 }),
    itemOf({ id: 3, upcs: ['400000000114'], parts: ['400000000084'] }),
  ];

  it('finds an item by its code in any length, by its id, and by the GTIN of a GS1 code', () => {
    for (const code of [MUG, `00${MUG}`, '21-ITEM-1', '21-item-1', `]C10100${MUG}`, `https://shop.example/01/00${MUG}`])
      expect([code, ...judge(items, code)]).toEqual([code, 'right', 1]);
  });

  it('is the item with the exact code if two codes differ only in case', () => {
    const items = [itemOf({ id: 1, sku: '21-AB' }), itemOf({ id: 2, sku: '21-ab' }), itemOf({ id: 3, sku: '21-Cd' })];
    const index = indexOf(items);
    const idOf = (text: string) => judgeScan(items, index, text, 1);
    expect(['21-AB', '21-ab', 'AB', 'ab', '21-CD'].map((text) => idOf(text))).toMatchObject(
      [1, 2, 1, 2, 3].map((id) => ({ kind: 'right', item: { id } })),
    );
    const lines = [{ itemId: '21-AB' }, { itemId: '21-ab' }];
    expect(linesOfCode(lines, '21-ab', () => [])).toEqual([{ itemId: '21-ab' }]);
    expect(linesOfCode(lines, '21-Ab', () => [])).toEqual(lines);
  });

  it('is by its number at the client if no bar code is this number', () => {
    const items = [
      itemOf({ id: 1, sku: '21-MUG-WHT' }),
      itemOf({ id: 2, sku: '21-036000291452' }),
      itemOf({ id: 3, upcs: ['036000291452'] }),
    ];
    const index = indexOf(items);
    const idOf = (text: string) => judgeScan(items, index, text);
    expect(idOf('mug-wht')).toMatchObject({ kind: 'right', item: { id: 1 } });
    expect(idOf('036000291452')).toMatchObject({ kind: 'right', item: { id: 3 } });
    expect(idOf('WHT')).toEqual({ kind: 'unknown' });
    expect([isKnown(index, 'MUG-WHT'), isKnown(index, 'WHT')]).toEqual([true, false]);
  });

  it('is a place of the ticket before the number of an item, and no number after the last unit', () => {
    const items = [itemOf({ id: 1, sku: '21-1204', place: 'A1' }), itemOf({ id: 2, place: '1204' })];
    expect(judge(items, '1204')).toEqual(['place', 2]);
    const open = [itemOf({ id: 1, sku: '21-12', orders: [1], picked: 1 }), itemOf({ id: 2 })];
    expect(judge(open, '12')).toEqual(['over', 1]);
    expect(judge(open.slice(0, 1), '12')).toEqual(['unknown', undefined]);
  });

  it('is too many if every unit is counted, a part of a bundle, a place, or unknown', () => {
    expect(judge(items, '400000000015')).toEqual(['over', 2]);
    expect(judge(items, '400000000084')).toEqual(['component', 3]);
    expect(judge(items, 'a-01-2')).toEqual(['place', 2]);
    expect(judge(items, '4006381333931')).toEqual(['unknown', undefined]);
    expect(isKnown(indexOf(items), MUG)).toBe(true);
    expect(isKnown(indexOf(items), `${MUG}${MUG}`)).toBe(false);
  });

  it('is the item in view if the ticket has the same goods at two prices, and the open item if that one is done', () => {
    const twice = [itemOf({ id: 1, upcs: [MUG], orders: [1] }), itemOf({ id: 2, upcs: [MUG], orders: [1] })];
    expect(judge(twice, MUG, 2)).toEqual(['right', 2]);
    expect(judge(twice, MUG)).toEqual(['right', 1]);
    expect(judge([itemOf({ id: 1, upcs: [MUG], orders: [1], picked: 1 }), twice[1]!], MUG, 1)).toEqual(['right', 2]);
  });
});

describe('the next place', () => {
  it('is the next open one along the path, then from its start; none where all is done', () => {
    const items = [itemOf({ id: 1 }), itemOf({ id: 2, picked: 2 }), itemOf({ id: 3 })];
    expect(nextOpen(items)?.id).toBe(1);
    expect(nextOpen(items, 1)?.id).toBe(3);
    expect(nextOpen(items, 3)?.id).toBe(1);
    expect(nextOpen(items, 3, -1)?.id).toBe(1);
    expect(nextOpen([itemOf({ id: 1, picked: 2 })], 1)).toBeUndefined();
  });
});

describe('the tote of a unit', () => {
  it('is the one that the service fills next, whatever has been found', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (orders, some) => {
          const quantity = orders.reduce((sum, units) => sum + units, 0);
          const picked = some % (quantity + 1);
          const claimants = orders.map((units, index) => ({
            fulfillmentOrderId: `O${index}`,
            slaAt: 0,
            orderDate: 0,
            claims: [{ lineIndex: 0, itemNumber: 1, quantity: units, canceling: 0 }],
          }));
          const service = splitOf(claimants, new Map([[1, { picked, canceled: 0 }]]));
          const shown = sharesOf(itemOf({ id: 1, orders, picked }));
          expect(shown.map((share) => share.picked)).toEqual(service.map((share) => share.picked));
        },
      ),
    );
  });

  it('gives out each unit once: picked and short never exceed what an order has', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        (orders, some, others) => {
          const quantity = orders.reduce((sum, units) => sum + units, 0);
          const canceled = some % (quantity + 1);
          const picked = others % (quantity - canceled + 1);
          const shares = sharesOf(itemOf({ id: 1, orders, picked, canceled }));
          const sum = (of: 'picked' | 'short') => shares.reduce((all, share) => all + share[of], 0);
          expect([sum('picked'), sum('short')]).toEqual([picked, canceled]);
          for (const share of shares) expect(share.picked + share.short).toBeLessThanOrEqual(share.quantity);
        },
      ),
    );
  });

  it('is not that of an order whose customer has canceled, while another one waits', () => {
    const item = itemOf({ id: 1, orders: [1, 1], withdrawn: [1, 0] });
    expect(nextTote(item)).toBe('B');
    expect(needless(item)).toBe(1);
  });

  it('is the one of the service if a canceled unit is left out and not sent yet', () => {
    expect(nextTote(itemOf({ id: 1, orders: [1, 1], withdrawn: [1, 0], canceled: 1 }))).toBe('B');
    const twoOfA = { id: 1, orders: [2, 1], withdrawn: [1, 0], canceled: 1 };
    expect([0, 1].map((picked) => nextTote(itemOf({ ...twoOfA, picked })))).toEqual(['A', 'B']);
    fc.assert(
      fc.property(
        fc.array(fc.nat(1), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        (withdrawn, some, others) => {
          const orders = withdrawn.map(() => 1);
          const canceled = some % (orders.length + 1);
          const picked = others % (orders.length - canceled + 1);
          const claimants = withdrawn.map((canceling, index) => ({
            fulfillmentOrderId: `O${index}`,
            slaAt: 0,
            orderDate: 0,
            claims: [{ lineIndex: 0, itemNumber: 1, quantity: 1, canceling }],
          }));
          const service = splitOf(claimants, new Map([[1, { picked, canceled }]]));
          const shown = sharesOf(itemOf({ id: 1, orders, withdrawn, picked, canceled }));
          expect(shown.map((share) => [share.picked, share.short])).toEqual(
            service.map((share) => [share.picked, share.canceled]),
          );
        },
      ),
    );
  });

  it('is again that of a wanted unit after its shortage, which was sent, is undone', () => {
    const item = itemOf({ id: 1, orders: [1, 1], withdrawn: [1, 0], canceled: 1 });
    for (const share of item.item.orders) share.canceledQuantity = 1;
    expect(sharesOf(item).map(({ short }) => short)).toEqual([1, 0]);
    expect(nextTote(item)).toBe('B');
  });
});

describe('units that need not be fetched', () => {
  it('are none once as many are left out or missing as the customer has canceled', () => {
    const three = { id: 1, orders: [3], withdrawn: [1] };
    expect(needless(itemOf(three))).toBe(1);
    expect(needless(itemOf({ ...three, picked: 2 }))).toBe(1);
    expect(needless(itemOf({ ...three, canceled: 1 }))).toBe(0);
    expect(needless(itemOf({ ...three, picked: 1, canceled: 1 }))).toBe(0);
    expect(needless(itemOf({ ...three, withdrawn: [2], canceled: 1 }))).toBe(1);
  });
});

describe('the reason of missing units', () => {
  it('is the one of the latest report that is not undone, also while the undo is not sent', () => {
    const report = (scanId: string, reason: string) => ({ scanId, item: 1, picked: 0, canceled: 1, reason });
    const reports = [report('s1', 'OUT_OF_STOCK'), report('s2', 'DISCREPANCY')];
    const ticket = {
      pickTicketItems: [
        { id: 1, quantity: 3, pickedQuantity: 0, canceledQuantity: 2, cancellationReasonCode: 'DISCREPANCY' },
      ],
    };
    const snapshot = { kind: 'ticket', at: 0, ticket, sent: reports } as unknown as TicketSnapshot;
    const undo = { id: 'u1', command: { kind: 'undo', undoes: 's2', of: reports[1] } } as unknown as Kept;
    expect(ticketView(snapshot, []).items).toMatchObject([{ canceled: 2, reason: 'DISCREPANCY' }]);
    expect(ticketView(snapshot, [undo]).items).toMatchObject([{ canceled: 1, reason: 'OUT_OF_STOCK' }]);
    const counts = { pickTicketItems: [{ id: 1, pickedQuantity: 0, canceledQuantity: 1 }] };
    const settled = accepted(snapshot, [undo], counts, 1) as TicketSnapshot;
    expect(ticketView(settled, []).items).toMatchObject([{ canceled: 1, reason: 'OUT_OF_STOCK' }]);
  });

  it('is that of the response after an undo, because only the service knows the reports of other devices', () => {
    const own = { scanId: 's1', item: 1, picked: 0, canceled: 1, reason: 'DISCREPANCY' };
    const item = { id: 1, quantity: 3, pickedQuantity: 0, canceledQuantity: 2, cancellationReasonCode: 'DISCREPANCY' };
    const snapshot = { kind: 'ticket', at: 0, ticket: { pickTicketItems: [item] }, sent: [own] };
    const undo = { id: 'u1', command: { kind: 'undo', undoes: 's1', of: own } } as unknown as Kept;
    const left = { id: 1, pickedQuantity: 0, canceledQuantity: 1, cancellationReasonCode: 'OUT_OF_STOCK' };
    const settled = accepted(snapshot as unknown as TicketSnapshot, [undo], { pickTicketItems: [left] }, 1);
    expect(ticketView(settled as TicketSnapshot, []).items).toMatchObject([{ canceled: 1, reason: 'OUT_OF_STOCK' }]);
  });

  it('remains that of another device after the undo of a found unit', () => {
    const found = { scanId: 's2', item: 1, picked: 1, canceled: 0 };
    const sent = [{ scanId: 's1', item: 1, picked: 0, canceled: 1, reason: 'OUT_OF_STOCK' }, found];
    const ticket = {
      pickTicketItems: [
        { id: 1, quantity: 3, pickedQuantity: 1, canceledQuantity: 2, cancellationReasonCode: 'DISCREPANCY' },
      ],
    };
    const snapshot = { kind: 'ticket', at: 0, ticket, sent } as unknown as TicketSnapshot;
    const undo = { id: 'u1', command: { kind: 'undo', undoes: 's2', of: found } } as unknown as Kept;
    expect(ticketView(snapshot, [undo]).items).toMatchObject([{ picked: 0, canceled: 2, reason: 'DISCREPANCY' }]);
  });
});
