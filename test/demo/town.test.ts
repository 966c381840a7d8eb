import { describe, expect, it } from 'vitest';
import { loadTown } from '../../src/service/demo/town.ts';
import { contentOf } from '../contract/support/two-clients.ts';
import { openBackroom } from '../support/backroom.ts';
import { rowsStored } from '../support/store.ts';
import { LOADED_AT, type OpenTown, openTown, townCall } from '../support/town.ts';

async function statesOf(town: OpenTown): Promise<Record<string, unknown>> {
  const rows = await town.store.read((db) =>
    db.selectFrom('fulfillment_orders').selectAll().where('client_id', '=', 'TOWN').execute(),
  );
  const roles = Object.entries(town.orders).map(([role, id]) => {
    const row = rows.find((one) => one.fulfillment_order_id === id)!;
    return [role, `${row.fulfillment_type} ${row.status} ${row.queue_id ?? 'no queue'} in ${row.node_id}`];
  });
  return Object.fromEntries(roles) as Record<string, unknown>;
}

describe('the small town', () => {
  it('has an order in every state that the ten operations reach', async () => {
    const town = await openTown({ upTo: 'returns' });
    expect(await statesOf(town)).toEqual({
      waiting: 'STORE_PICK_UP 1100 WAITING_FOR_PICK_ISPU in TOWN-Store001',
      waitingToo: 'STORE_PICK_UP 1100 WAITING_FOR_PICK_ISPU in TOWN-Store001',
      proxy: 'STORE_PICK_UP 1100 WAITING_FOR_PICK_ISPU in TOWN-Store001',
      millLane: 'STORE_PICK_UP 1100 WAITING_FOR_PICK_ISPU in TOWN-Store002',
      canadian: 'STORE_PICK_UP 1100 WAITING_FOR_PICK_ISPU in TOWN-Store001',
      toShip: 'SHIP_TO_HOME 1100 WAITING_FOR_PICK_SFS in TOWN-Store001',
      picked: 'SHIP_TO_HOME 1200 WAITING_FOR_PACK_SFS in TOWN-Store001',
      returned: 'SHIP_TO_HOME 9100 no queue in TOWN-Store001',
      arriving: 'SHIP_TO_STORE 1300 WAITING_FOR_CHECKIN_STS in TOWN-Store001',
      inStore: 'SHIP_TO_STORE 1300 WAITING_FOR_INSTORE_CHECKIN_STS in TOWN-Store001',
      checkedIn: 'SHIP_TO_STORE 1400 WAITING_FOR_CUSTOMER_PICK in TOWN-Store001',
      delivery: 'ASSOCIATE_DELIVERY 1100 WAITING_FOR_PICK_DEL in TOWN-Store001',
      ready: 'STORE_PICK_UP 1400 WAITING_FOR_CUSTOMER_PICK in TOWN-Store001',
      canceled: 'STORE_PICK_UP 9000 no queue in TOWN-Store001',
      onTicket: 'STORE_PICK_UP 1150 WAITING_FOR_PICK_ISPU in TOWN-Store001',
      handedOver: 'STORE_PICK_UP 3800 no queue in TOWN-Store001',
    });
    await town.close();
  });

  it('has a ticket that is open and holds one order', async () => {
    const town = await openTown({ upTo: 'returns' });
    const tickets = await town.store.read((db) => db.selectFrom('pick_tickets').selectAll().execute());
    expect(tickets.filter(({ status }) => status !== 'CLOSED').map((row) => row.pick_ticket_id)).toEqual([
      town.tickets.open,
    ]);
    expect(tickets.map((row) => row.pick_ticket_id).sort()).toEqual(Object.values(town.tickets).sort());
    await town.close();
  });

  it('is the same each time it is loaded with the same clock and randomness', async () => {
    const contents: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      const backroom = await openBackroom({}, { seed: 'same', now: LOADED_AT });
      await loadTown(townCall(backroom.call), { now: LOADED_AT, neighbours: true });
      // The same seed gives the same random bytes, so hashes of passwords and sealed PINs are equal too. The test
      // ignores `written`, which on PostgreSQL is the time of the server's clock (docs/decisions/127).
      contents.push(JSON.stringify(await rowsStored(backroom.store)).replace(/"written":\d+/g, '"written":0'));
      await backroom.close();
    }
    expect(contents[0]).toContain('100000000101001');
    expect(contents[1]).toBe(contents[0]);
  });

  it('is opened as a copy: what one test does no other sees', async () => {
    const [one, two] = [await openTown(), await openTown()];
    const before = await contentOf(two);
    expect((await one.client.delete('/item-service/clients/TOWN/items/21-KAYAK-1')).status).toBe(204);
    expect(await contentOf(two)).toBe(before);
    expect((await two.client.get('/item-service/stores/TOWN_US/items/21-KAYAK-1')).status).toBe(200);
    await one.close();
    await two.close();
  });

  it('loads as far as it is asked to', async () => {
    const town = await openTown({ upTo: 'catalog' });
    const counts = await town.store.read(async (db) => ({
      items: (await db.selectFrom('items').select('item_id').execute()).length,
      orders: (await db.selectFrom('fulfillment_orders').select('fulfillment_order_id').execute()).length,
    }));
    expect(counts).toEqual({ items: 16, orders: 0 });
    await town.close();
  });

  it('keeps the longest price to the last digit', async () => {
    const town = await openTown();
    const item = await town.client.get('/item-service/stores/TOWN_US/items/21-CHART-1871');
    expect(item.text).toContain('"value":1234567890123456789.01');
    await town.close();
  });

  it('names the rejected request if loading fails', async () => {
    const backroom = await openBackroom();
    const call = townCall(backroom.call);
    const broken: typeof call = (method, path, options) =>
      path.endsWith('/credentials') ? call(method, `${path}/x`, options) : call(method, path, options);
    await expect(loadTown(broken, { now: LOADED_AT })).rejects.toThrow(
      'POST /operator/v1/clients/TOWN/credentials gave 405',
    );
    await backroom.close();
  });
});

describe('the neighbour of the small town', () => {
  it('is not there unless it is asked for', async () => {
    const town = await openTown();
    expect((await town.operator('GET', '/operator/v1/clients/OTHER')).status).toBe(404);
    await town.close();
  });

  it('has an item and an order with the ids of the town’s, and sees its own', async () => {
    const town = await openTown({ neighbours: true });
    const item = await town.neighbour.get('/item-service/stores/OTHER_US/items/21-MUG-WHT');
    expect(item.body).toMatchObject({ clientId: 'OTHER', description: "Neighbour's MUG-WHT" });
    const orders = await town.store.read((db) =>
      db
        .selectFrom('fulfillment_orders')
        .select(['client_id', 'store_id'])
        .where('fulfillment_order_id', '=', town.orders.waiting)
        .orderBy('client_id')
        .execute(),
    );
    expect(orders).toEqual([
      { client_id: 'OTHER', store_id: 'OTHER_US' },
      { client_id: 'TOWN', store_id: 'TOWN_US' },
    ]);
    expect(town.neighbour.secrets.apiKey).toMatch(/^br_OTHER_/);
    await town.close();
  });
});
