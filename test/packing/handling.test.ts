/** The handling of items in packing and shipping: shipped alone or together, hazardous goods, freight class. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Members, openPicking, orderBody, type Picking, SFS } from '../picking/picking.ts';

let town: Picking;
beforeAll(async () => {
  town = await openPicking({ upTo: 'catalog' });
  const item = async (sku: string, members: Members) => {
    const answer = await town.client.put(`/item-service/clients/TOWN/items/21-${sku}?merge=true`, members);
    expect(answer.status, answer.text).toBe(200);
  };
  await item('LAMP-BRS', { shipAlone: 'Yes', freightClass: 'BULKY' });
  await item('MATCH-100', { sfsEligible: true, fulfillmentTypeEligibilities: null, associateDeliveryEligible: true });
  await item('TEE-RED-M', { shipTogether: true });
  await item('TEE-RED-L', { shipTogether: true, shipAlone: 'No' });
});
afterAll(() => town.close());

const HOST = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const length = { unit: 'IN', value: 4 };
const boxWeight = { unit: 'LBS', value: 1 };
const measures = { boxWeight, packingMaterialWeight: boxWeight, length, height: length, width: length };

type Line = [sku: string, quantity: number, unitPrice?: number];

const picked = async (lines: Line[], more: Members = {}) => {
  const id = await town.order({ type: 'SHIP_TO_HOME', lines, more });
  expect((await town.confirm(await town.ticket([id], SFS))).status).toBe(204);
  return id;
};
const pathOf = (id: string) => `/stores/TOWN_US/fulfillmentOrders/${id}`;
const details = async (id: string) => {
  const key = { ...HOST, fulfillmentOrderId: id };
  const answer = await town.client.post(`${pathOf(id)}/packages?nodeId=TOWN-Store001`, key);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.packDetail[0];
};
const read = async (id: string) => (await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}`)).body;

/** Sends a package message with the given units of the lines in each box. */
const pack = async (id: string, boxes: Record<string, Record<string, number>>, action = 'CREATE') => {
  const lines = await town.lines(id);
  const packages = Object.entries(boxes).map(([boxId, units]) => ({
    action,
    boxId,
    ...measures,
    packageItems: Object.entries(units).map(([webLineId, quantity]) => ({
      webLineId,
      quantity,
      itemId: lines.find((line) => line.web_line_id === webLineId)!.item_id,
    })),
  }));
  return town.client.put(`${pathOf(id)}/package/update`, {
    modifyAssociateId: 'bo',
    packDetails: { ...HOST, fulfillmentOrderId: id, packages },
  });
};

describe('an item that ships alone', () => {
  it('shares a package with no other item, by CREATE and by MODIFY, and the error names the line to remove', async () => {
    const id = await picked([
      ['LAMP-BRS', 2],
      ['SOAP-LAV', 1],
    ]);
    const mixed = await pack(id, { 1: { 1: 1, 2: 1 }, 2: { 1: 1 } });
    expect(mixed.status).toBe(400);
    expect(mixed.body.errors).toEqual([
      {
        pointer: '/packDetails/packages/0/packageItems',
        rule: 'shipAlone',
        message:
          'item "21-LAMP-BRS" of line "1" ships alone (shipAlone), but box "1" also holds the lines "2"; put them into another box',
      },
    ]);
    expect((await details(id)).packages).toEqual([]);
    expect((await pack(id, { 1: { 1: 2 } })).status).toBe(204);
    expect((await pack(id, { 1: { 1: 2, 2: 1 } }, 'MODIFY')).status).toBe(400);
    expect((await pack(id, { 2: { 2: 1 } })).status).toBe(204);
  });

  it('can share it with its own units, also of another line', async () => {
    const id = await picked([
      ['LAMP-BRS', 1],
      ['LAMP-BRS', 2, 7],
    ]);
    expect((await pack(id, { 1: { 1: 1, 2: 2 } })).status).toBe(204);
  });

  it('needs at most as many packages as an order can have', async () => {
    const lines: Line[] = [];
    for (let index = 0; index <= 500; index += 1) {
      const sku = `ALONE-${index}`;
      const body = { catalogId: '21', clientId: 'TOWN', clientItemId: sku, itemId: `21-${sku}`, type: 'MERCH' };
      const more = { salesClass: 'stock', styleId: '', taxCode: '', shipAlone: 'Yes' };
      await town.client.put(`/item-service/clients/TOWN/items/21-${sku}`, { ...body, ...more });
      lines.push([sku, 1]);
    }
    const send = (id: string, some: Line[]) =>
      town.client.post(
        '/operator/v1/stores/TOWN_US/fulfillmentOrders',
        orderBody(id, { type: 'SHIP_TO_HOME', lines: some }, town.clock.now),
      );
    const said = await send('ALONE-1', lines);
    expect(said.status).toBe(400);
    expect(said.body.errors.map((fault: Members) => [fault['pointer'], fault['rule']])).toEqual([
      ['/lines', 'shipAlone'],
    ]);
    expect((await send('ALONE-2', lines.slice(1))).status).toBe(201);
  }, 120_000);
});

describe('the handling of items', () => {
  it('is on the ticket, in the pack details, on the slip and in the order, where the item has any', async () => {
    const lines: Line[] = [
      ['LAMP-BRS', 1],
      ['MATCH-100', 1],
      ['TEE-RED-M', 1],
      ['WRAP-STAR', 1],
    ];
    const id = await town.order({ type: 'SHIP_TO_HOME', lines });
    const expected = {
      '21-LAMP-BRS': { shipAlone: 'Yes', freightClass: 'BULKY' },
      '21-MATCH-100': { hazardousMaterialCode: 'ORMD' },
      '21-TEE-RED-M': { shipTogether: true },
      '21-WRAP-STAR': undefined,
    };
    const byItem = (list: Members[], idOf: (one: Members) => unknown) =>
      Object.fromEntries(list.map((one) => [idOf(one), one['handling']]));
    const nested = (one: Members) => (one['itemDetails'] as Members)['itemId'];
    const flat = (one: Members) => one['itemId'];
    const ticket = await town.ticket([id], SFS);
    expect(byItem(ticket.pickTicketItems as unknown as Members[], nested)).toEqual(expected);
    await town.confirm(ticket);
    expect(byItem((await details(id)).packLines, flat)).toEqual(expected);
    expect(byItem((await read(id)).lines, flat)).toEqual(expected);
    const key = { ...HOST, fulfillmentOrderId: id, modifyAssociateId: 'bo' };
    const slip = await town.client.post(`${pathOf(id)}/packslip/generate`, key);
    expect(byItem(slip.body.packSlipDetails[0].fulfillmentOrder.fulfillmentOrderItems, nested)).toEqual(expected);
  });

  it('names the hazardous items of each package, including those in bundles', async () => {
    const member = { catalogId: '21', clientId: 'TOWN', type: 'MERCH', salesClass: 'stock', styleId: '', taxCode: '' };
    const fire = { clientItemId: 'SET-FIRE', itemId: '21-SET-FIRE', bundle: true };
    await town.client.put('/item-service/clients/TOWN/items/21-SET-FIRE', {
      ...member,
      ...fire,
      bundleItems: [{ itemId: '21-MATCH-100' }, { itemId: '21-CANDLE-26' }],
    });
    const id = await picked([
      ['SOAP-LAV', 1],
      ['SET-FIRE', 1],
      ['MATCH-100', 2],
    ]);
    expect((await pack(id, { 1: { 1: 1 }, 2: { 2: 1, 3: 2 } })).status).toBe(204);
    const codes = (packages: Members[]) => packages.map((one) => one['hazardousMaterialCodes']);
    expect(codes((await details(id)).packages)).toEqual([undefined, ['ORMD']]);
    expect(codes((await read(id)).packages)).toEqual([undefined, ['ORMD']]);
    // A client can send the details in the form in which the client received them.
    const { packages, ...rest } = await details(id);
    const again = packages.map((one: Members) => ({ ...one, action: 'MODIFY' }));
    const sent = await town.client.put(`${pathOf(id)}/package/update`, {
      modifyAssociateId: 'bo',
      packDetails: { ...rest, packages: again },
    });
    expect(sent.status, sent.text).toBe(204);
  });

  it('warns when items that ship together are in several packages, and rejects nothing', async () => {
    const id = await picked([
      ['TEE-RED-M', 1],
      ['SOAP-LAV', 1],
      ['TEE-RED-L', 1],
    ]);
    expect((await details(id)).warnings).toBeUndefined();
    expect((await pack(id, { 1: { 1: 1, 2: 1 }, 2: { 3: 1 } })).status).toBe(204);
    expect((await details(id)).warnings).toEqual([
      'the items of the lines 1, 3 must ship together (shipTogether), but are in the boxes 1, 2; put them into one box',
    ]);
  });
});

describe('the carrier exception of an order', () => {
  it('is the value from intake: in the order, the pack details, the slip and the event', async () => {
    for (const carrierException of [true, false]) {
      const id = await picked([['SOAP-LAV', 1]], { carrierException });
      expect((await read(id)).carrierException).toBe(carrierException);
      expect((await details(id)).carrierException).toBe(carrierException);
      const key = { ...HOST, fulfillmentOrderId: id, modifyAssociateId: 'bo' };
      const slip = await town.client.post(`${pathOf(id)}/packslip/generate`, key);
      expect(slip.body.packSlipDetails[0].carrierException).toBe(carrierException);
      const [received] = await town.events('order', id);
      expect(received!.data['carrierException'] ?? false).toBe(carrierException);
    }
  });
});
