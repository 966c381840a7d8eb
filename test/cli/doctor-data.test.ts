import { readFileSync } from 'node:fs';
/**
 * Findings of doctor about wrong data: states, feeds, documents, sealed values, numbers, search keys, amounts, schema.
 */
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { townOrders } from '../../src/service/demo/orders.ts';
import { NOON } from '../support/backroom.ts';
import { ENGINE } from '../support/store.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.store.close());

/** Returns the names of the failed checks, except `disk` and `durability`, which depend on the machine. */
async function errors(): Promise<string[]> {
  const config = loadConfig({ DATABASE_URL: town.store.url, BACKROOM_SECRET: 'ab'.repeat(32) });
  const findings = await examine(config, NOON);
  return findings
    .filter(({ ok, check }) => !ok && check !== 'disk' && check !== 'durability')
    .map(({ check }) => check);
}

const of = (order: string) => sql`where client_id = 'TOWN' and fulfillment_order_id = ${order}`;

const FAULTS: [string, RawBuilder<unknown>, string][] = [
  [
    'an open order in no queue',
    sql`update fulfillment_orders set queue_id = null ${of(townOrders.waiting)}`,
    'states of orders',
  ],
  [
    'an open order in the queue of another state',
    sql`update fulfillment_orders set queue_id = 'WAITING_FOR_CUSTOMER_PICK' ${of(townOrders.waiting)}`,
    'states of orders',
  ],
  [
    'an open order that has ended',
    sql`update fulfillment_orders set ended_at = ${NOON} ${of(townOrders.waiting)}`,
    'states of orders',
  ],
  [
    'an order with open units in an end state',
    sql`update fulfillment_orders set status = 9000, queue_id = null, sla_type = null, sla_at = null, ended_at = ${NOON} ${of(townOrders.waiting)}`,
    'units of orders',
  ],
  [
    'an event that is gone from the feed',
    sql`delete from events where client_id = 'TOWN' and position = 5`,
    'places of events',
  ],
  [
    'a feed that ends after its last event',
    sql`update event_heads set position = position + 1 where client_id = 'TOWN'`,
    'places of events',
  ],
  [
    'a sequence that gives a ticket number again',
    // On PostgreSQL, a process takes ticket numbers from blocks, and each block has a separate counter.
    sql`update counters set value = value - 1 where name = 'pickTicket' or name like 'pickTicket/%'`,
    'numbers',
  ],
  ['a sequence that is gone', sql`delete from counters where name = 'pickTicket'`, 'numbers'],
  [
    'a sequence that gives the number of an order again',
    sql`update counters set value = 3 where name = 'fulfillmentId'`,
    'numbers',
  ],
  [
    'a sequence that gives the last number of an order again',
    sql`update counters set value = value - 1 where name = 'fulfillmentId' or name like 'fulfillmentId/%'`,
    'numbers',
  ],
  [
    'a sealed PIN that is garbage',
    sql`update fulfillment_orders set pin_cipher = 'v2.garbage' where pin_cipher is not null`,
    'sealed values',
  ],
  [
    'a sealed PIN with the fingerprint of another',
    sql`update fulfillment_orders set pin_hash = 'ff' where pin_hash is not null`,
    'sealed values',
  ],
  [
    'an item whose document is cut',
    sql`update items set doc = substr(doc, 1, 20) where item_id = '21-MUG-WHT'`,
    'documents',
  ],
  ['lines without charges', sql`update order_lines set charges = ''`, 'amounts'],
  [
    'a charge that its line does not have',
    sql`insert into order_charges (client_id, chain_id, position, fulfillment_order_id,
      with_header, cash_on_delivery, grand_total, amounts, at)
    select client_id, fulfillment_order_id, 1, fulfillment_order_id, 1, '0', '5',
      '{"orderTotal":{"grandTotal":5},"items":[{"webLineId":"1","quantity":1,"itemTotal":{"extendedPrice":-1,"charges":0,"tax":0}}]}', 0
    from fulfillment_orders ${of(townOrders.waiting)}`,
    'amounts',
  ],
  ['items without words', sql`delete from item_terms`, 'words of items'],
  [
    'an item with a wrong word',
    sql`update item_terms set term = 'wx' where item_id = '21-MUG-WHT' and term = (select min(term) from item_terms where item_id = '21-MUG-WHT')`,
    'words of items',
  ],
  [
    'an order with a wrong search key',
    sql`update fulfillment_orders set customer_name_key = ' nobody' ${of(townOrders.waiting)}`,
    'keys of orders',
  ],
];

const schema = readFileSync(new URL('../../src/platform/storage/schema.sql', import.meta.url), 'utf8');

/**
 * Errors of the schema, each with the statement that corrects it. The correction is necessary because on PostgreSQL the
 * next test uses the same database.
 */
const OF_SCHEMA: [string, RawBuilder<unknown>, RawBuilder<unknown>][] = [
  [
    'a row of a migration that is gone',
    sql`update migrations set number = 999 where number = 3`,
    sql`update migrations set number = 3 where number = 999`,
  ],
  [
    'an index that is gone',
    sql`drop index alerts_by_date`,
    sql.raw(/^create index alerts_by_date [^;]+/im.exec(schema)![0]),
  ],
  [
    'a table that is gone',
    sql`alter table printers rename to old_printers`,
    sql`alter table old_printers rename to printers`,
  ],
];

describe('doctor', () => {
  it.each(OF_SCHEMA)('tells %s', async (_what, statement, correction) => {
    await town.operator('GET', '/operator/v1/events?clientId=TOWN&limit=1');
    expect(await errors()).toEqual([]);
    await town.store.write((tx) => statement.execute(tx));
    try {
      expect(await errors()).toContain('schema');
    } finally {
      await town.store.write((tx) => correction.execute(tx));
    }
    expect(await errors()).toEqual([]);
  });

  it.each(FAULTS)('tells %s', async (_what, statement, check) => {
    // Reading the feed gives positions to the events.
    await town.operator('GET', '/operator/v1/events?clientId=TOWN&limit=1');
    expect(await errors()).toEqual([]);
    await town.store.write((tx) => statement.execute(tx));
    expect(await errors()).toContain(check);
  });

  it('knows the queues that a client has renamed', async () => {
    await town.store.write(async (tx) => {
      await sql`update fulfillment_orders set queue_id = 'MORNING' ${of(townOrders.waiting)}`.execute(tx);
    });
    expect(await errors()).toEqual(['states of orders']);
    const settings = '{"queueIds":{"WAITING_FOR_PICK_ISPU":"MORNING"}}';
    await town.store.write((tx) => sql`update clients set settings = ${settings} where client_id = 'TOWN'`.execute(tx));
    expect(await errors()).toEqual([]);
  });

  it.runIf(ENGINE === 'sqlite')('tells a table that lost a constraint', async () => {
    await town.store.write(async (tx) => {
      await sql`alter table printers rename to old_printers`.execute(tx);
      await sql`create table printers as select * from old_printers`.execute(tx);
    });
    expect(await errors()).toContain('schema');
  });
});
