import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { sentenceOf } from '../../src/service/cli/doctor-finding.ts';
import { loadArrivals, townArrivals } from '../../src/service/demo/arrivals.ts';
import { townOrders } from '../../src/service/demo/orders.ts';
import { NOON } from '../support/backroom.ts';
import { type OpenTown, openTown, townCall } from '../support/town.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

/** Returns the errors that doctor finds, except errors about the disk and the durability of the test server. */
async function faults(): Promise<string[]> {
  const config = loadConfig({ DATABASE_URL: town.store.url, BACKROOM_SECRET: 'ab'.repeat(32) });
  const findings = await examine(config, NOON);
  expect(findings.map((finding) => finding.check)).toEqual(
    expect.arrayContaining(
      town.store.engine === 'sqlite' ? ['schema', 'file', 'disk', 'secret'] : ['schema', 'secret'],
    ),
  );
  return (
    findings
      // The servers of tests are not durable, so the finding about durability is ignored.
      .filter((finding) => !finding.ok && finding.check !== 'disk' && finding.check !== 'durability')
      .map((finding) => `${finding.check}: ${sentenceOf(finding)}`)
  );
}

/** Writes a second open ticket with the content of the first. */
async function copyTicket(): Promise<void> {
  await town.store.write(async (tx) => {
    const id = town.tickets.open;
    const ticket = await tx
      .selectFrom('pick_tickets')
      .selectAll()
      .where('pick_ticket_id', '=', id)
      .executeTakeFirstOrThrow();
    const items = await tx.selectFrom('pick_ticket_items').selectAll().where('pick_ticket_id', '=', id).execute();
    const lines = await tx.selectFrom('pick_ticket_lines').selectAll().where('pick_ticket_id', '=', id).execute();
    const copy = <R extends object>(row: R): R => ({ ...row, pick_ticket_id: 'COPY' });
    await tx.insertInto('pick_tickets').values(copy(ticket)).execute();
    await tx.insertInto('pick_ticket_items').values(items.map(copy)).execute();
    await tx.insertInto('pick_ticket_lines').values(lines.map(copy)).execute();
  });
}

describe('doctor', () => {
  it('finds no error in a town in which every kind of work was done', async () => {
    expect(await faults()).toEqual([]);
  });

  const broken: [string, RawBuilder<unknown>, RegExp][] = [
    [
      'units of an order line that no ticket picked',
      sql`update order_lines set picked = picked + 1 where fulfillment_order_id = ${townOrders.waiting} and line_index = 0`,
      new RegExp(`^units of picks: ${townOrders.waiting} line `),
    ],
    [
      'units that were checked in and are not on the line',
      sql`update checkin_package_items set checked_in = checked_in - 1
        where fulfillment_order_id = ${townOrders.checkedIn} and checked_in > 0`,
      new RegExp(`^units of check-ins: ${townOrders.checkedIn} line `),
    ],
    [
      'a ticket item with more units than its lines',
      sql`update pick_ticket_items set quantity = quantity + 1 where picked is null`,
      /^units of tickets: .* item 1/,
    ],
    [
      'an order on an open ticket, but in a state without a ticket',
      sql`update fulfillment_orders set status = 1100, sla_type = 'START_PICK'
        where fulfillment_order_id = ${townOrders.onTicket}`,
      new RegExp(`^orders and tickets: ${townOrders.onTicket} `),
    ],
    [
      'a re-source request for more units than were declined',
      sql`update resource_request_lines set quantity = quantity + 1`,
      new RegExp(`^re-source requests: ${townOrders.returned} line 1 `),
    ],
  ];
  it('recounts shipments, their sums and cartons, and stock, and reports each that does not add up', async () => {
    await loadArrivals(townCall(town.call), town.client.secrets, town.clock.now);
    expect(await faults()).toEqual([]);
    const run = (text: string) => town.store.write((tx) => sql.raw(text).execute(tx));
    const receipts: [change: string, back: string, faults: RegExp[]][] = [
      [
        `update inbound_sums set damaged = damaged + 1, good = good - 1 where good > 5`,
        `update inbound_sums set damaged = damaged - 1, good = good + 1 where good + damaged > 5 and damaged > 0 and good > 0`,
        [/^sums of goods in: ASN ASN-04\d+ of seller TOWNS carton \w+ item \S+ breaks this rule.*; restore a backup/],
      ],
      [
        `update inbound_shipments set received_units = received_units + 1 where number = '${townArrivals.inWork}'`,
        `update inbound_shipments set received_units = received_units - 1 where number = '${townArrivals.inWork}'`,
        [/^shipments: ASN ASN-0419 of seller TOWNS breaks this rule.*; restore a backup/],
      ],
      [
        `update inbound_shipments set receipts = receipts + 1, open_units = 0, cartons_done = cartons where number = '${townArrivals.held}'`,
        `update inbound_shipments set receipts = receipts - 1 where number = '${townArrivals.held}'`,
        [/^shipments: ASN ASN-0418/],
      ],
      [
        `update inbound_carton_work set state = 'REFUSED' where state = 'DAMAGED'`,
        `update inbound_carton_work set state = 'DAMAGED' where state = 'REFUSED'`,
        [/^cartons: ASN ASN-0419 of seller TOWNS carton \w+ breaks this rule/],
      ],
      [
        `update stock_levels set shelf = shelf + 1 where shelf > 0`,
        `update stock_levels set shelf = shelf - 1 where shelf > 0`,
        [/^levels of stock: TOWN-\w+ /],
      ],
    ];
    for (const [change, back, expected] of receipts) {
      const before = await faults();
      await run(change);
      const found = (await faults()).filter((fault) => !before.includes(fault));
      expect(found, change).toEqual(expected.map((fault) => expect.stringMatching(fault) as unknown));
      await run(back);
    }
  });

  it.each(broken)('finds %s', async (_what, statement, fault) => {
    await town.store.write((tx) => statement.execute(tx));
    const found = await faults();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(fault);
  });

  const canceled: [string, RawBuilder<unknown>, RegExp][] = [
    [
      'canceled units that no ticket brings back',
      sql`update order_lines set canceling = 0 where fulfillment_order_id = ${townOrders.ready}`,
      new RegExp(`^units on their way back: ${townOrders.ready} line 1 `),
    ],
    [
      'a package with canceled units',
      sql`insert into package_items (client_id, fulfillment_order_id, package_index, line_index, quantity)
        values ('TOWN', ${townOrders.picked}, 0, 0, 3)`,
      new RegExp(`^units in packages: ${townOrders.picked} line 1 `),
    ],
  ];
  it.each(canceled)('finds %s', async (_what, statement, fault) => {
    for (const order of [townOrders.ready, townOrders.picked]) {
      const path = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${order}/cancel`;
      const lines = [{ webLineId: '1', quantity: 1 }];
      const answer = await town.client.post(path, { lines, reasonCode: 'CancelCustomerInitiated' });
      expect(answer.status).toBe(200);
    }
    await town.store.write((tx) =>
      sql`insert into packages (client_id, fulfillment_order_id, package_index, package_id, box_id, box_weight,
          packing_material_weight, length, height, width, created_at, updated_at)
        values ('TOWN', ${townOrders.picked}, 0, '1', '1', '{}', '{}', '{}', '{}', '{}', 0, 0)`.execute(tx),
    );
    expect(await faults()).toEqual([]);
    await town.store.write((tx) => statement.execute(tx));
    // The change also makes the state of the order differ from its units. The test ignores that finding.
    const found = (await faults()).filter((one) => !one.startsWith('units of orders: '));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(fault);
  });

  it('finds an order on two open tickets', async () => {
    await copyTicket();
    const found = await faults();
    expect(found).toEqual([expect.stringMatching(new RegExp(`^one ticket an order: ${townOrders.onTicket} `))]);
  });

  it('runs no other check without a database', async () => {
    const config = loadConfig({ DATABASE_URL: 'sqlite:/nowhere/backroom.db' });
    expect(await examine(config, NOON)).toMatchObject([{ check: 'database', ok: false }]);
  });
});
