/** The rules of doctor about returns and refunds, each with an error that it must find. */
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { type Counter, openCounter } from './support.ts';

let town: Counter;
beforeEach(async () => {
  town = await openCounter();
});
afterEach(() => town.close());

const wrong = async () => (await ruleFindings(town.store)).filter(({ ok }) => !ok).map(({ check }) => check);

const FAULTS: [string, RawBuilder<unknown>, string][] = [
  [
    'a unit of a return that is missing and not for sale',
    sql`update return_lines set sellable = sellable - 1, missing = missing + 1 where sellable > 0`,
    'units of returns',
  ],
  ['held units of a return without their row', sql`delete from return_held`, 'units of returns'],
  ['receipts of a return that are gone', sql`delete from return_receipts`, 'units of returns'],
  ['refunds above what was charged', sql`update refunds set amount = '9999'`, 'refunds'],
  ['refunds that are gone', sql`delete from refunds`, 'refunds'],
  ['a return with another revision than its last event', sql`update returns set revision = revision + 1`, 'revisions'],
];

it.each(FAULTS)('doctor tells %s', async (_what, statement, check) => {
  const orderId = await town.handed([4, 2]);
  await town.take(orderId, { 1: 1 });
  await town.take(orderId, { 2: 1 }, {}, { condition: 'OPENED' });
  expect(await wrong()).toEqual([]);
  await town.store.write((tx) => statement.execute(tx));
  expect(await wrong()).toContain(check);
});
