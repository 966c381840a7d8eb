/**
 * A trading day with real data: always a small file with errors, and the full file if BACKROOM_REAL_DATA names its
 * folder.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DayResult, runDay } from '../../scripts/day/run.ts';
import { runToTheEnd } from '../../scripts/day/to-the-end.ts';

const REAL = process.env.BACKROOM_REAL_DATA;
const SMALL = join(import.meta.dirname, 'small-retail');

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

function addsUp({ summary, faults, tally }: DayResult): void {
  const { rowsRead, rowsImported, rowsRefused, units } = summary;
  expect(faults).toEqual([]);
  expect(rowsRead).toBe(rowsImported + sum(rowsRefused));
  expect(units.in).toBe(units.picked + units.declined + units.open);
  expect(tally.shortTickets / tally.tickets).toBeGreaterThanOrEqual(1 / 20);
  expect(units.picked).toBe(tally.picked);
  const { announced, over, good, damaged, refused, held, short } = summary.received;
  expect(announced + over).toBe(good + damaged + refused + held + short);
  expect(Math.min(announced, over)).toBeGreaterThan(0);
  expect(units.declined).toBe(tally.declined);
}

describe('a small dirty file of invoices', () => {
  let all: DayResult;
  beforeAll(async () => {
    all = await runDay({ data: SMALL, date: 'all', say: () => undefined });
  });

  it('is imported except for its bad lines, each rejected alone with its reason', () => {
    expect(all.summary).toMatchObject({
      rowsRead: 30,
      rowsImported: 14,
      rowsRefused: {
        CANCELLATION: 3,
        NO_PRICE: 2,
        NOT_GOODS: 4,
        NO_QUANTITY: 2,
        NO_COUNTRY: 1,
        COLUMN_COUNT: 1,
        OTHER_CUSTOMER: 1,
        UNREADABLE: 1,
        MAXIMUM: 1,
      },
    });
    // Counted by hand: 6+6+4, 12, 30, 3+2, 7, 2, 144, 2, 3, 24, 8 units.
    expect(all.summary.units.in).toBe(253);
  });

  it('makes an item of every good, also without a description, and rejects a store without a known location', () => {
    expect(all.items).toMatchObject({ rowsRead: 30, rowsRefused: { NOT_GOODS: 5, COLUMN_COUNT: 1, UNREADABLE: 1 } });
    expect(all.nodes).toMatchObject({ rowsRead: 3, rowsImported: 2, rowsRefused: { MAPPING_FAILED: 1 } });
  });

  it('is worked until nothing is open, and both accounts agree', () => {
    addsUp(all);
    const { received, stock } = all.summary;
    expect(Math.min(received.damaged, received.short, stock.shelf, stock.staged, stock.behind)).toBeGreaterThan(0);
    expect(all.summary.units.open).toBe(0);
    expect(all.summary.units.declined).toBeGreaterThan(0);
    expect(Object.keys(all.summary.operations)).toEqual(
      expect.arrayContaining([
        'searchQueue',
        'generatePickTicket',
        'updatePickTicket',
        'generatePackSlip',
        'confirmCheckIn',
      ]),
    );
  });

  it('leaves the orders of other days open, and gives the same outcome each time', async () => {
    const one = await runDay({ data: SMALL, date: '2011-03-01', say: () => undefined });
    addsUp(one);
    expect(one.summary.units.open).toBe(253 - 58);
    const again = await runDay({ data: SMALL, date: '2011-03-01', say: () => undefined });
    expect(again.summary).toEqual(one.summary);
  });
});

describe('a small dirty file of invoices, to the end', () => {
  it('leaves nothing open, accounts for every unit, and ends the same way each time', async () => {
    const first = await runToTheEnd({ data: SMALL, date: 'all', say: () => undefined });
    expect(first.faults).toEqual([]);
    const { units } = first.summary;
    const out = units.shipped + units.pickedUp + units.delivered;
    expect(units.in + units.resourced).toBe(
      out + units.refused + units.returned + units.declined + units.canceled + units.open,
    );
    expect(units).toMatchObject({ in: 253, open: 0 });
    expect(out).toBeGreaterThan(0);
    const again = await runToTheEnd({ data: SMALL, date: 'all', say: () => undefined });
    expect(again).toEqual(first);
  });
});

const skipped = REAL === undefined ? ' (skipped: BACKROOM_REAL_DATA is not set)' : '';
describe(`the real data${skipped}`, () => {
  it.skipIf(REAL === undefined)(
    'goes in line by line, is worked for a trading day, and every unit is accounted for',
    async () => {
      const day = await runDay({ data: REAL!, say: () => undefined });
      addsUp(day);
      expect(day.nodes).toEqual({ rowsRead: 1565, rowsImported: 1565, rowsRefused: {} });
      expect(day.summary).toMatchObject({
        rowsRead: 42_481,
        rowsImported: 41_315,
        rowsRefused: { CANCELLATION: 798, NO_PRICE: 203, NOT_GOODS: 165 },
      });
      expect(day.summary.units.in).toBe(358_749);
    },
    400_000,
  );

  it.skipIf(REAL === undefined)(
    'goes to its end over HTTP: every fulfillment type, canceled, re-sourced and never collected orders, nothing open',
    async () => {
      const { summary, faults } = await runToTheEnd({ data: REAL!, say: () => undefined });
      expect(faults).toEqual([]);
      expect(Object.keys(summary.ended)).toEqual(
        expect.arrayContaining([
          'ASSOCIATE_DELIVERY 3900',
          'SHIP_TO_HOME 3700',
          'SHIP_TO_STORE 3800',
          'STORE_PICK_UP 3800',
          'STORE_PICK_UP 9000',
        ]),
      );
      expect(summary.units.open).toBe(0);
      expect(summary.units.resourced).toBeGreaterThan(0);
      expect(summary.units.returned).toBeGreaterThan(0);
    },
    600_000,
  );
});
