import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';
import { type Members, NODE, WHERE } from '../picking/picking.ts';
import { BY_CUSTOMER, type Flow, openFlow, STORE } from './flow.ts';

const NAMES: Record<string, string> = {
  '1100': 'To pick',
  '1200': 'To pack',
  '1400': 'At the counter',
  '1500': 'On the van',
  '8000': 'Back to the shelf',
  '9000': 'Nothing of it',
};

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
  const path = '/operator/v1/clients/TOWN';
  const { body } = await town.operator('GET', path);
  const settings = { ...(body as { settings: Members }).settings, statusDescriptions: NAMES };
  const put = await town.operator('PUT', path, { ...(body as Members), settings });
  expect(put.status, put.text).toBe(200);
});
afterAll(() => town.close());

/** Returns status and name of an order in a response or an event. */
const shown = ({ status, statusName }: Members) => [status, statusName];
const named = (status: number) => [String(status), NAMES[status]];

const read = async (orderId: string) =>
  (await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`)).body as Members;

describe('the status of an order in our own responses', () => {
  it('is the code as a string, with the client’s name: intake, the order, its pickup, a cancellation', async () => {
    const orderId = await town.make('STORE_PICK_UP');
    const { lines: _lines, ...order } = await read(orderId);
    expect(shown(order)).toEqual(named(1100));
    const ready = await town.picked('STORE_PICK_UP');
    const pickup = await town.client.post(`${NODE}/customerPickUps/${ready}`, { ...WHERE, fulfillmentOrderId: ready });
    expect(shown(pickup.body.customerPickUpDetails)).toEqual(named(1400));
    expect(shown((await town.cancel(ready)).body)).toEqual(named(8000));
  });

  it('has this form in the response of intake, for new and known orders', async () => {
    const path = `${STORE}/fulfillmentOrders`;
    const file = new URL('../../contract/examples/createFulfillmentOrders.json', import.meta.url);
    const [first] = JSON.parse(readFileSync(file, 'utf8')) as [{ request: { body: Members } }];
    for (const status of [201, 200]) {
      const answer = await town.client.post(path, { ...first.request.body, fulfillmentOrderId: 'STATUS-1' });
      expect(answer.status, answer.text).toBe(status);
      expect(shown(answer.body.fulfillmentOrders[0])).toEqual(named(1100));
    }
  });

  it('has this form in pack details and a decline, and both can be sent back', async () => {
    const orderId = await town.picked('ASSOCIATE_DELIVERY');
    const path = `/stores/TOWN_US/fulfillmentOrders/${orderId}/packages?nodeId=TOWN-Store001`;
    const { packDetail } = (await town.client.post(path, { ...WHERE, fulfillmentOrderId: orderId })).body as {
      packDetail: [Members];
    };
    expect(shown(packDetail[0])).toEqual(named(1200));
    expect(shown((await town.decline(orderId, { 2: 1 })).body)).toEqual(named(1200));
    const { packages: _packages, ...detail } = packDetail[0];
    const box = { action: 'CREATE', boxId: '1', trackingNumber: 'T1', boxWeight: { unit: 'lb', value: 1 } };
    const answer = await town.client.put(`/stores/TOWN_US/fulfillmentOrders/${orderId}/package/update`, {
      modifyAssociateId: 'bo',
      packDetails: { ...detail, packages: [box] },
    });
    const pointers = (answer.body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers.filter((pointer) => pointer.includes('status'))).toEqual([]);
  });

  it('has this form after a delivery', async () => {
    const orderId = await town.orderIn('ASSOCIATE_DELIVERY', 1500);
    const answer = await town.client.post(`${STORE}/fulfillmentOrders/${orderId}/deliver`, {
      nodeId: 'TOWN-Store001',
      modifyAssociateId: 'bo',
      lines: [{ webLineId: '1', deliveredQuantity: 1 }],
    });
    expect(answer.status, answer.text).toBe(200);
    expect(shown(answer.body)).toEqual(named(1500));
  });

  it('has its documented forms in the searches of the interface', async () => {
    const orderId = await town.make('STORE_PICK_UP');
    const queueId = 'WAITING_FOR_PICK_ISPU';
    const body = { ...WHERE, queueId, fulfillmentOrderId: orderId };
    const queued = (await town.client.post(`${NODE}/fulfillmentOrders?queueId=${queueId}`, body)).body;
    const search = { ...WHERE, fulfillmentOrder: { fulfillmentOrderId: orderId } };
    const found = (await town.client.post('/stores/TOWN_US/fulfillmentOrder/search', search)).body;
    expect(shown(queued.fulfillmentOrders[0])).toEqual(['To pick', undefined]);
    expect(shown(found.fulfillmentOrders[0])).toEqual(['1100', undefined]);
  });
});

describe('the status of an order in events', () => {
  it('is the code as a string, with the client’s name, in every event that has a status', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    await town.cancel(orderId, { reasonCode: BY_CUSTOMER });
    await town.bringBack((await town.reverse(orderId))[0]!);
    await town.expire(await town.picked('SHIP_TO_STORE'));
    await town.decline(await town.picked('SHIP_TO_HOME'), { 1: 1 });
    const { events } = (await town.client.get('/operator/v1/events?limit=500&types=order.*')).body as {
      events: { type: string; data: Members }[];
    };
    const withStatus = events.filter(({ data }) => 'status' in data);
    expect([...new Set(withStatus.map(({ type }) => type))]).toEqual(
      expect.arrayContaining([
        'order.received',
        'order.pickStarted',
        'order.picked',
        'order.checkedIn',
        'order.cancelRequested',
        'order.broughtBack',
        'order.expired',
        'order.declined',
      ]),
    );
    for (const { type, data } of withStatus) {
      const [status, statusName] = shown(data);
      // Earlier events of the town's orders have the default names, which were valid then.
      const names = [NAMES, DEFAULT_SETTINGS.statusDescriptions].map((known) => known[String(status)]);
      expect([type, typeof status, names]).toEqual([type, 'string', expect.arrayContaining([statusName])]);
    }
  });

  it('has its name in the schema of every type that has a status', () => {
    const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
      webhooks: Record<string, unknown>;
    };
    const withStatus = Object.entries(document.webhooks).filter(
      ([type, webhook]) => type.startsWith('order.') && JSON.stringify(webhook).includes('"status":{'),
    );
    expect(withStatus.length).toBeGreaterThan(10);
    for (const [type, webhook] of withStatus) {
      expect([type, JSON.stringify(webhook)]).toEqual([type, expect.stringContaining('"statusName":{')]);
    }
  });
});
