import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLines, type OpenLine } from '../../src/kernel/tickets/merge-lines.ts';
import type { Json } from '../../src/platform/json-column.ts';

const line = (itemId: string, unitPrice: string, quantity: number, more: Partial<OpenLine> = {}): OpenLine => ({
  fulfillmentOrderId: 'O1',
  lineIndex: 0,
  webLineId: '1',
  itemId,
  unitPrice,
  quantity,
  snapshot: '{}' as Json<never>,
  instructions: null,
  ...more,
});

const shown = (lines: OpenLine[], places: [string, string | null][] = []) =>
  mergeLines(lines, new Map(places)).map(({ id, itemId, unitPrice, quantity }) => [id, itemId, unitPrice, quantity]);

describe('merging', () => {
  it('sums lines of one item and unit price, over orders and within one', () => {
    const lines = [
      line('A', '5', 1),
      line('A', '5', 2, { lineIndex: 1 }),
      line('A', '5', 4, { fulfillmentOrderId: 'O2' }),
    ];
    expect(shown(lines)).toEqual([[1, 'A', '5', 7]]);
  });

  it('keeps different unit prices of an item separate, the lower first', () => {
    expect(shown([line('A', '10', 1), line('A', '9.5', 1)])).toEqual([
      [1, 'A', '9.5', 1],
      [2, 'A', '10', 1],
    ]);
  });

  it('orders by pick location, those without one last, then by item id', () => {
    const lines = [line('D', '1', 1), line('C', '1', 1), line('B', '1', 1), line('A', '1', 1)];
    const places: [string, string | null][] = [
      ['C', 'Z-1'],
      ['D', 'A-1'],
      ['B', null],
    ];
    expect(shown(lines, places).map(([, itemId]) => itemId)).toEqual(['D', 'C', 'A', 'B']);
  });

  it('keeps the snapshot of the first line', () => {
    const lines = [
      line('A', '1', 1, { snapshot: '"first"' as Json<never> }),
      line('A', '1', 1, { snapshot: '"second"' as Json<never> }),
    ];
    expect(mergeLines(lines, new Map())[0]?.snapshot).toBe('"first"');
  });

  it('numbers items 1 to n and loses no unit and no line, for any orders', () => {
    const lines = fc.array(
      fc.record({
        fulfillmentOrderId: fc.constantFrom('O1', 'O2', 'O3'),
        lineIndex: fc.nat(20),
        itemId: fc.constantFrom('A', 'B', 'C', 'D'),
        unitPrice: fc.constantFrom('1', '1.5', '20'),
        quantity: fc.integer({ min: 1, max: 99_999 }),
        webLineId: fc.constant('1'),
        snapshot: fc.constant('{}' as Json<never>),
        instructions: fc.constant(null),
      }),
      { minLength: 1 },
    );
    const places = fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D'), fc.constantFrom('X', 'Y', null));
    fc.assert(
      fc.property(lines, places, (all, feed) => {
        const items = mergeLines(all, new Map(Object.entries(feed)));
        expect(items.map((item) => item.id)).toEqual(items.map((_item, index) => index + 1));
        expect(new Set(items.map((item) => `${item.itemId} ${item.unitPrice}`)).size).toBe(items.length);
        expect(new Set(items.flatMap((item) => item.lines))).toEqual(new Set(all));
        for (const item of items) {
          expect(item.quantity).toBe(item.lines.reduce((sum, { quantity }) => sum + quantity, 0));
          expect(item.lines.every((one) => one.itemId === item.itemId && one.unitPrice === item.unitPrice)).toBe(true);
        }
      }),
    );
  });
});
