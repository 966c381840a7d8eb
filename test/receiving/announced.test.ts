/** The cache of announcements: every receipt and every poll of a device needs the lines of a shipment. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAnnounced } from '../../src/kernel/arrivals/announced.ts';
import { LINES_MAX } from '../../src/receiving/schema.ts';
import { statementsOf } from '../support/reads.ts';
import { type Goods, openGoods } from './goods.ts';

let goods: Goods;
beforeAll(async () => {
  goods = await openGoods();
});
afterAll(() => goods.stop());

it('has the lines of several shipments of the greatest size at the same time', async () => {
  const numbers = [await goods.announce(['A-1', 'MUG-WHT', 1]), await goods.announce(['A-2', 'MUG-WHT', 1])];
  for (const number of numbers) {
    await goods.store.write((tx) =>
      sql`
        with recursive others(n) as (select 1 union all select n + 1 from others where n < ${LINES_MAX - 1})
        insert into inbound_lines
          (client_id, seller_id, type, number, line_index, carton_id, item_id, quantity, item_cost, doc)
        select client_id, seller_id, type, number, n, carton_id, item_id, quantity, item_cost, doc
        from inbound_lines cross join others where client_id = 'TOWN' and number = ${number} and line_index = 0`.execute(
        tx,
      ),
    );
  }
  const config = {} as Parameters<typeof findAnnounced>[0]['config'];
  const read = (number: string) =>
    goods.store.read(async (db) => {
      const row = await db
        .selectFrom('inbound_shipments')
        .selectAll()
        .where('client_id', '=', 'TOWN')
        .where('number', '=', number)
        .executeTakeFirstOrThrow();
      return (await findAnnounced({ db, config }, row)).lines.length;
    });
  for (const number of numbers) expect(await read(number)).toBe(LINES_MAX);
  for (const number of numbers) {
    const statements = await statementsOf(goods.store, () => read(number));
    expect(statements.filter((text) => text.includes('inbound_lines'))).toEqual([]);
  }
});
