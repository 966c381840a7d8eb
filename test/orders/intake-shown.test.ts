import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderIntake } from '../../src/orders/intake-schema.ts';
import { type Chains, openChains, type SentOrder } from './chains.ts';

let town: Chains;
beforeAll(async () => {
  town = await openChains();
});
afterAll(() => town.close());

const WISH = [{ type: 'GIFT_MESSAGE', text: 'Happy birthday, Ada' }];
const LINES = [
  { quantity: 2, unitPrice: 10.5, charges: 0.125, tax: 1.3333, instructions: WISH },
  { quantity: 1, unitPrice: 3, charges: 0, tax: 0 },
];
const whole = (fulfillmentType: string) => ({
  fulfillmentType,
  currency: 'USD',
  lines: LINES,
  headerCharges: 5.25,
  headerTax: 0.4001,
  cashOnDelivery: 40.5,
  more: {
    externalOrderNumber: 'EXT-1',
    externalOrderNumber2: 'EXT-2',
    fulfillmentOrderDate: '2026-03-02T11:00:00+00:00',
    expectedDeliveryDate: '2026-03-05T10:00:00+00:00',
    shipMethod: 'ANY_STD',
    proxyDetails: { name: 'Bo Byrne', email: 'bo@mail.example', phone: '+1 401 555 0100' },
    pinNumber: '4711',
    shipFromAddress: { destinationId: 'home' },
    carrierException: true,
    ...(fulfillmentType === 'SHIP_TO_STORE' && {
      inStore: false,
      packages: [
        {
          checkInPackageId: 'P1',
          trackingNumber: 'T1',
          weight: { unit: 'lb', value: 2 },
          volume: { unit: 'in3', value: 7.5 },
          items: [
            { webLineId: '1', quantity: 2 },
            { webLineId: '2', quantity: 1 },
          ],
        },
      ],
    }),
  },
});

/**
 * Fields that the read of these orders does not show. The PIN is in pickup details and the queue search. Intake ignores
 * queue and status. Only an exchange has `exchangeOf` (test/returns/life.test.ts).
 */
const NOT_IN_THE_READ = new Set(['pinNumber', 'queueId', 'status', 'exchangeOf']);
const ELSEWHERE: Record<string, string> = { packages: 'checkIn' };

describe('the data of an incoming order', () => {
  it.each(['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'])(
    'is in the order read of %s, field by field',
    async (type) => {
      const order = await town.take(whole(type));
      const read = (await town.read(order)) as unknown as Record<string, unknown>;
      const isArriving = type === 'SHIP_TO_STORE';
      const shown = Object.keys(OrderIntake.properties)
        .filter((member) => !NOT_IN_THE_READ.has(member))
        .filter((member) => isArriving || (member !== 'packages' && member !== 'inStore'))
        .map((member) => ELSEWHERE[member] ?? member);
      expect(Object.keys(read)).toEqual(expect.arrayContaining(shown));
      const { more, lines, ...rest } = whole(type);
      const { pinNumber: _pin, packages: sent, ...members } = more as typeof more & { packages?: object[] };
      expect(read).toMatchObject({
        ...rest,
        ...members,
        nodeId: 'TOWN-Store001',
        carrier: 'UPS',
        service: 'GROUND',
        destinations: [{ destinationId: 'home', address: { line1: '1 Pier' }, phone: '+1 401 555 0199' }],
        billToAddress: { destinationId: 'home' },
        shippingAddress: { destinationId: 'home' },
        lines: lines.map(({ quantity, ...line }, index) => ({
          webLineId: String(index + 1),
          orderedQuantity: quantity,
          ...line,
        })),
      });
      if (!isArriving) return;
      const { items, ...one } = sent![0]! as { items: object[] };
      expect(read['checkIn']).toMatchObject({ checkInPackages: [{ ...one, checkInPackageItems: items }] });
    },
  );

  it('is shown at the counter: further numbers, instructions of the lines, the amount to collect', async () => {
    const order = await picked('STORE_PICK_UP');
    expect(await town.details(order)).toMatchObject({
      externalOrderNumber: 'EXT-1',
      externalOrderNumber2: 'EXT-2',
      customerPickUpItems: [
        { instructions: WISH, itemTotal: { unitPrice: 10.5, extendedPrice: 21, charges: 0.125, tax: 1.3333 } },
        { itemTotal: { unitPrice: 3, extendedPrice: 3, charges: 0, tax: 0 } },
      ],
      orderTotal: {
        grandTotal: 31.11,
        grandTax: 1.73,
        grandCharges: 5.38,
        hdrTax: 0.4001,
        hdrCharges: 5.25,
        cashOnDelivery: 31.11,
      },
    });
  });

  it('can be sent to the confirmation as the details return it', async () => {
    const order = await picked('STORE_PICK_UP');
    const details = (await town.details(order)) as unknown as { customerPickUpItems: object[] };
    const customerPickUpItems = details.customerPickUpItems.map((one) => ({
      ...one,
      customerPickedQuantity: (one as { toPickQuantity: number }).toPickQuantity,
    }));
    const path = `/stores/TOWN_US/nodes/${order.nodeId}/customerPickUp/confirm`;
    const body = { modifyAssociateId: 'bo', customerPickUpDetails: { ...details, customerPickUpItems } };
    expect((await town.client.put(path, body)).status).toBe(204);
  });

  it.each(['SHIP_TO_HOME', 'ASSOCIATE_DELIVERY'])('is shown in packing of %s', async (type) => {
    const order = await picked(type);
    expect(await packDetails(order)).toMatchObject({
      webOrderId: `WEB-${order.id}`,
      externalOrderNumber: 'EXT-1',
      externalOrderNumber2: 'EXT-2',
      shipMethod: 'ANY_STD',
      expectedDeliveryDate: '2026-03-05T10:00:00+00:00',
      carrierException: true,
      packLines: [{ webLineId: '1', instructions: WISH }, { webLineId: '2' }],
    });
  });

  it('is shown in picking: instructions are on the item, with their order and line', async () => {
    const [one, two] = [await town.take(whole('STORE_PICK_UP')), await town.take(whole('STORE_PICK_UP'))];
    const where = { storeId: 'TOWN_US', nodeId: one.nodeId };
    const at = `/stores/TOWN_US/nodes/${one.nodeId}`;
    const made = await town.client.post(`${at}/pickTicket/generate`, {
      ...where,
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: 'picker',
      fulfillmentOrderIds: [one.id, two.id],
      modifyAssociateId: 'bo',
    });
    const [ticket] = made.body.pickTicketDetails;
    const instructions = [one, two].map(({ id }) => ({ fulfillmentOrderId: id, webLineId: '1', ...WISH[0] }));
    const opened = await town.client.post(`${at}/pickTickets/${ticket.pickTicketId}`, {
      ...where,
      pickTicketId: ticket.pickTicketId,
      userId: 'picker',
    });
    for (const { pickTicketItems } of [ticket, opened.body.pickTicketDetails]) {
      const byItem = Map.groupBy(
        pickTicketItems,
        (item: { itemDetails: { itemId: string } }) => item.itemDetails.itemId,
      );
      expect(byItem.get('21-SOAP-LAV')).toMatchObject([{ instructions }]);
      expect(byItem.get('21-LAMP-BRS')![0]).not.toHaveProperty('instructions');
    }
    const back = await town.client.put(`${at}/pickTicket/update`, {
      modifyAssociateId: 'bo',
      pickTicketDetails: {
        ...ticket,
        action: 'CONFIRM',
        pickTicketItems: ticket.pickTicketItems.map((item: { itemDetails: { itemId: string }; quantity: number }) => ({
          ...item,
          itemId: item.itemDetails.itemId,
          pickedQuantity: item.quantity,
        })),
      },
    });
    expect(back.status, back.text).toBe(204);
  });

  it('has no personal data in any response after the customer’s data is anonymized', async () => {
    const [collected, shipped] = [await picked('STORE_PICK_UP'), await picked('SHIP_TO_HOME')];
    await town.give(collected, (units) => ({ handed: units, refused: 0 }));
    await town.pack(shipped, (units) => units);
    const replies = async () =>
      JSON.stringify([
        await town.read(collected),
        await town.read(shipped),
        await town.details(collected),
        await packDetails(shipped),
        await town.slip(shipped),
        await ticketOf(collected),
      ]);
    const before = await replies();
    for (const words of ['birthday', 'Pat Kim', 'Byrne', '1 Pier', 'mail.example']) expect(before).toContain(words);
    const advanced = await town.operator('POST', '/operator/v1/sandbox/clock', { advanceBy: 181 * 86_400 });
    expect(advanced.status, advanced.text).toBe(200);
    expect(await replies()).not.toMatch(/birthday|Pat|Byrne|Pier|mail\.example/);
  });
});

async function picked(type: string): Promise<SentOrder> {
  const order = await town.take(whole(type));
  await town.pick(order, (units) => units);
  return order;
}

async function packDetails(order: SentOrder) {
  const answer = await town.client.post(
    `/stores/TOWN_US/fulfillmentOrders/${order.id}/packages?nodeId=${order.nodeId}`,
    { storeId: 'TOWN_US', nodeId: order.nodeId, fulfillmentOrderId: order.id },
  );
  expect(answer.status, answer.text).toBe(200);
  return answer.body.packDetail[0];
}

async function ticketOf(order: SentOrder) {
  const { pickTicketId } = (await town.read(order)) as unknown as { pickTicketId: string };
  const where = { storeId: 'TOWN_US', nodeId: order.nodeId, pickTicketId };
  const answer = await town.client.post(`/stores/TOWN_US/nodes/${order.nodeId}/pickTickets/${pickTicketId}`, where);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.pickTicketDetails;
}
