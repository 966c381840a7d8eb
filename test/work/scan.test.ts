import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Members, openPicking, type Picking } from '../picking/picking.ts';

const SCAN = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/scan';

interface Match {
  kind: string;
  id: string;
  state: string;
  storeId?: string;
  nodeId?: string;
  allowedActions: { action: string; allowed: boolean }[];
  [member: string]: unknown;
}
interface Scan {
  code: string;
  reads: { kind: string; value: string }[];
  matches: Match[];
  warnings: { code: string }[];
}

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

const scan = async (
  code: string,
  caller: Pick<Picking['client'], 'post'> = town.client,
  path = SCAN,
): Promise<Scan> => {
  const answer = await caller.post(path, { code });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Scan;
};
const named = ({ matches }: Scan) => matches.map(({ kind, id }) => `${kind} ${id}`);

/** An ASN with one line for each carton, expected on the day of the town. */
const asn = (number: string, cartons: readonly string[]) => ({
  ReceivingDetail: {
    ASNData: [
      {
        Header: {
          ASNNumber: number,
          ReceivingType: 'A',
          ReceivingWarehouseId: 'DC001',
          ShipmentReceiptDate: '2026-03-02',
          ShipperName: 'Quayside Vendor',
          StoreCode: '988',
        },
        Details: {
          Detail: cartons.map((CartonId) => ({
            ASNNumber: number,
            CartonId,
            ClientItemId: 'MUG-WHT',
            ItemCost: 3.25,
            ReceivingWarehouseId: 'DC001',
            ShippedQuantity: 24,
            TrailerNumber: 'TR-7',
          })),
        },
      },
    ],
  },
});

describe('the scan of any code', () => {
  it.each([
    ['a bar code', '400000000084'],
    ['its GTIN of 14 digits', '00400000000084'],
    ['a Digital Link', 'https://id.example.com/01/00400000000084/10/LOT1'],
    ['GS1 elements', ']C10100400000000084'],
    ['an itemId', '21-SOAP-LAV'],
    ['a clientItemId', 'SOAP-LAV'],
  ])('finds an item by %s', async (_words, code) => {
    const found = await scan(code);
    expect(named(found)).toEqual(['ITEM 21-SOAP-LAV']);
    expect(found.matches[0]).toMatchObject({ label: 'Lavender soap', state: 'Active', pickLocation: 'D-01-1' });
  });

  it('reads a wrong check digit with a warning, without an error', async () => {
    const found = await scan('4006381333930');
    expect(found.matches).toEqual([]);
    expect(found.warnings.map(({ code }) => code)).toEqual(['CHECK_DIGIT']);
    expect(found.reads.map(({ kind }) => kind)).toEqual(['GTIN', 'TEXT']);
  });

  it('finds an order by each of its numbers, with what may be done', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    const row = await town.row(id);
    for (const code of [id, row.web_order_id, row.oms_order_id]) {
      const found = await scan(code);
      const order = found.matches.find((match) => match.id === id)!;
      expect(order).toMatchObject({ kind: 'ORDER', storeId: 'TOWN_US', state: 'Waiting for pick' });
      expect(order.allowedActions).toContainEqual({ action: 'generate', allowed: true });
    }
  });

  it('finds a ticket and the place of picked goods', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    const ticket = await town.ticket([id]);
    const found = await scan(ticket.pickTicketId);
    expect(found.matches.find(({ kind }) => kind === 'TICKET')).toMatchObject({
      id: ticket.pickTicketId,
      state: 'NEW',
      storeId: 'TOWN_US',
    });
    expect((await scan(id)).matches[0]).toMatchObject({ pickTicketId: ticket.pickTicketId });
    await town.confirm(ticket, undefined, { holdLocation: 'SHELF-9' });
    expect((await scan('SHELF-9')).matches).toMatchObject([{ kind: 'PLACE', id: 'SHELF-9', state: 'USED', orders: 1 }]);
    expect((await scan('B2')).matches).toMatchObject([{ kind: 'PLACE', id: 'B2' }]);
  });

  it('finds the place at which goods of a saved check-in wait', async () => {
    const id = town.orders.arriving;
    const path = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/${id}/checkin`;
    const order = { action: 'UPDATE', storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: id };
    const { status, text } = await town.client.post(path, {
      modifyAssociateId: 'UserId001',
      fulfillmentOrder: { ...order, checkInPackages: [], holdLocation: 'DOCK-3' },
    });
    expect(status, text).toBe(204);
    expect((await scan('DOCK-3')).matches).toMatchObject([{ kind: 'PLACE', state: 'USED', orders: 1 }]);
    expect((await scan(id)).matches).toMatchObject([{ kind: 'ORDER', holdLocation: 'DOCK-3' }]);
    const { body } = await town.client.get('/operator/v1/clients/TOWN/nodes/TOWN-Store001/orders?holdLocation=DOCK-3');
    expect(body.orders).toMatchObject([{ fulfillmentOrderId: id, status: '1300', holdLocation: 'DOCK-3' }]);
  });

  it('finds packages by their tracking numbers, those that arrive and those that were packed', async () => {
    const [arriving] = await town.store.read((db) =>
      db
        .selectFrom('checkin_packages as p')
        .innerJoin('fulfillment_orders as o', 'o.fulfillment_order_id', 'p.fulfillment_order_id')
        .select(['p.tracking_number', 'p.check_in_package_id', 'p.fulfillment_order_id', 'o.node_id'])
        .where('o.node_id', '=', 'TOWN-Store001')
        .execute(),
    );
    const found = await scan(arriving!.tracking_number);
    expect(found.matches).toMatchObject([
      { kind: 'PACKAGE', id: arriving!.check_in_package_id, fulfillmentOrderId: arriving!.fulfillment_order_id },
    ]);
  });

  it('finds the packages of open orders first if many orders have the tracking number', async () => {
    const arriving = () =>
      town.order({ lines: [['MUG-WHT', 1]], more: { fulfillmentType: 'SHIP_TO_STORE', inStore: true } });
    const waiting = await arriving();
    const ids: string[] = [];
    for (let count = 0; count < 51; count += 1) ids.push(await arriving());
    const share = (orders: readonly string[], trackingNumber: string) =>
      town.store.write(async (tx) => {
        const packages = tx.updateTable('checkin_packages').set({ tracking_number: trackingNumber });
        const made = await packages.where('fulfillment_order_id', 'in', orders).executeTakeFirstOrThrow();
        expect(Number(made.numUpdatedRows)).toBe(orders.length);
      });
    await share([...ids, waiting], 'TOTE-17');
    await town.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ status: 9000, queue_id: null, sla_type: null, sla_at: null, ended_at: town.clock.now })
        .where('fulfillment_order_id', 'in', ids)
        .execute(),
    );
    const many = await scan('TOTE-17');
    expect(many.matches[0]).toMatchObject({ kind: 'PACKAGE', fulfillmentOrderId: waiting });
    expect(many.matches).toHaveLength(50);
    expect(many.warnings.map(({ code }) => code)).toEqual(['TOO_MANY']);
    await share(ids.slice(0, 2), 'TOTE-18');
    const few = await scan('TOTE-17');
    expect([few.matches.length, few.warnings]).toEqual([50, []]);
    const other = await town.credential({ storeIds: ['TOWN_CA'], groups: ['fulfillment'] });
    expect((await scan('TOTE-17', other)).matches).toEqual([]);
  });

  it('finds announced cartons and shipments at their node, and warns of a carton elsewhere', async () => {
    const [id, number, nodeId] = ['00340123450000000018', 'ASN-77', 'TOWN-DC001'];
    expect(
      (await town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', asn(number, [id]))).status,
    ).toBe(200);
    const there = `/operator/v1/clients/TOWN/nodes/${nodeId}/scan`;
    for (const code of ['340123450000000018', `]C1${id}`]) {
      expect((await scan(code, town.client, there)).matches[0]).toMatchObject({ kind: 'CARTON', id });
    }
    const found = await scan(id, town.client, there);
    expect(found.matches[0]).toMatchObject({ kind: 'CARTON', id, number, state: 'EXPECTED', type: 'ASN' });
    expect(found.matches[0]!.nodeId).toBeUndefined();
    expect(named(await scan(number, town.client, there))).toContain(`SHIPMENT ${number}`);
    const elsewhere = await scan(id);
    expect(elsewhere.matches[0]).toMatchObject({ kind: 'CARTON', id, nodeId });
    expect(elsewhere.warnings.map(({ code }) => code)).toContain('ELSEWHERE');
    const narrowed = await town.credential({ nodeIds: ['TOWN-Store001'], groups: ['inbound'] });
    expect((await scan(id, narrowed)).matches).toEqual([]);
  });

  it('leaves out the closed shipments of a carton that an open one announces again', async () => {
    const id = 'TOTE-AGAIN';
    const at = '/operator/v1/clients/TOWN/nodes/TOWN-DC001';
    const announce = (number: string) =>
      town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', asn(number, [id]));
    const found = async () => {
      const { matches, warnings } = await scan(id, town.client, `${at}/scan`);
      return [matches.map(({ number }) => number), warnings.map(({ code }) => code)];
    };
    await announce('ASN-60');
    const shipment = `${at}/inbound/ASN/ASN-60`;
    const receipt = { receiptId: 'again', userId: 'ann', cartons: [{ cartonId: id, as: 'GOOD' }] };
    const booked = await town.client.post(`${shipment}/receipts`, receipt);
    expect(booked.status, booked.text).toBeLessThan(300);
    expect((await town.client.post(`${shipment}/close`, { closeId: 'again', userId: 'ann' })).status).toBe(200);
    expect(await found()).toEqual([['ASN-60'], []]);
    await announce('ASN-61');
    expect(await found()).toEqual([['ASN-61'], []]);
    expect((await town.operator('DELETE', '/operator/v1/clients/TOWN/inbound/ASN/ASN-61')).status).toBe(204);
  });

  it('warns of a carton that two shipments announce, until one of them is voided', async () => {
    const id = '00340123450000000025';
    for (const number of ['ASN-81', 'ASN-82']) {
      await town.client.post('/poasn-manager-service/sellers/TOWNS/poasn/create', asn(number, [id]));
    }
    const there = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/scan';
    const twice = await scan(id, town.client, there);
    expect(twice.matches.map(({ number }) => number)).toEqual(['ASN-81', 'ASN-82']);
    expect(twice.warnings.map(({ code }) => code)).toContain('DUPLICATE_CARTON');
    const work = '/operator/v1/clients/TOWN/nodes/TOWN-DC001/work';
    const before = (await town.client.get(work)).body as { inbound: Members; exceptions: Members };
    expect(before.exceptions['duplicateCartons']).toBe(1);
    expect(before.inbound['expected']).toBe(3);
    expect((await town.operator('DELETE', '/operator/v1/clients/TOWN/inbound/ASN/ASN-82')).status).toBe(204);
    const once = await scan(id, town.client, there);
    expect(once.warnings.map(({ code }) => code)).not.toContain('DUPLICATE_CARTON');
    const after = (await town.client.get(work)).body as { inbound: Members; exceptions: Members };
    expect(after.exceptions['duplicateCartons']).toBe(0);
    expect(after.inbound).toEqual({ expected: 2, late: 0, held: 0 });
    town.clock.now += 24 * 3_600_000;
    expect(((await town.client.get(work)).body as { inbound: Members }).inbound).toEqual({
      expected: 0,
      late: 2,
      held: 0,
    });
    town.clock.now -= 24 * 3_600_000;
  });

  it('shows each caller what its groups, stores and nodes let it see', async () => {
    const id = await town.order({ lines: [['MUG-WHT', 1]] });
    const items = await town.credential({ groups: ['items'] });
    expect((await scan(id, items)).matches).toEqual([]);
    expect(named(await scan('SOAP-LAV', items))).toEqual(['ITEM 21-SOAP-LAV']);
    const otherStore = await town.credential({ storeIds: ['TOWN_CA'], groups: ['fulfillment'] });
    expect((await scan(id, otherStore)).matches).toEqual([]);
    const fulfillment = await town.credential({ groups: ['fulfillment'] });
    expect(named(await scan(id, fulfillment))).toEqual([`ORDER ${id}`]);
  });

  it.each(['x', '\u001d', '   a', 'é'.repeat(250), '%_', "'; drop table items"])(
    'accepts any text: %j',
    async (code) => {
      const answer = await town.client.post(SCAN, { code });
      expect(answer.status).toBe(200);
    },
  );

  it('changes nothing', async () => {
    const before = await town.store.read((db) => db.selectFrom('events').select('event_id').execute());
    await scan('SOAP-LAV');
    expect(await town.store.read((db) => db.selectFrom('events').select('event_id').execute())).toEqual(before);
  });

  it.each([[{}], [{ code: '' }], [{ code: 1 }], [{ code: 'x'.repeat(501) }], [{ code: 'x', more: 1 }]] as Members[][])(
    'rejects %j',
    async (body) => {
      expect((await town.client.post(SCAN, body)).status).toBe(400);
    },
  );
});
