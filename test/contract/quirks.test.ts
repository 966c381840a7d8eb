import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const queueId = 'WAITING_FOR_PICK_ISPU';
const queue = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId };
const onQueue = (body: object) => town.client.post(`${NODE}/fulfillmentOrders?queueId=${queueId}`, body);
const search = (more: object) =>
  town.client.post('/stores/TOWN_US/fulfillmentOrder/search', { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', ...more });

describe('quirks of the searches', () => {
  it('the queue search accepts modeId for nodeId, and returns nodeId', async () => {
    const { nodeId: modeId, ...others } = queue;
    const answer = await onQueue({ ...others, modeId });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe((await onQueue(queue)).text);
    expect(answer.body.fulfillmentOrders[0]).toMatchObject({ nodeId: 'TOWN-Store001' });
    expect(answer.text).not.toContain('modeId');
    expect((await onQueue({ ...queue, modeId: 'TOWN-Store002' })).status).toBe(400);
  });

  it('the queue search returns its totals as strings of digits', async () => {
    const { body } = await onQueue(queue);
    expect(body.fulfillmentOrders.length).toBeGreaterThan(0);
    for (const { totalNoOfItems, totalQuantity, totalNoOfPackages } of body.fulfillmentOrders) {
      for (const total of [totalNoOfItems, totalQuantity, totalNoOfPackages]) {
        expect(typeof total).toBe('string');
        expect(total).toMatch(/^\d+$/);
      }
    }
  });

  it('the queue search returns the description of the status, the order search its code as a string', async () => {
    const { waiting } = town.orders;
    const queued = await onQueue({ ...queue, fulfillmentOrderId: waiting });
    expect(queued.body.fulfillmentOrders).toMatchObject([{ status: 'Waiting for pick' }]);
    const found = await search({ fulfillmentOrder: { fulfillmentOrderId: waiting } });
    expect(found.body.fulfillmentOrders).toMatchObject([{ status: '1100' }]);
  });

  it('both searches accept lastRecordId as a string or as a number', async () => {
    const { waiting } = town.orders;
    for (const find of [(more: object) => onQueue({ ...queue, ...more }), search]) {
      const asString = await find({ lastRecordId: waiting });
      expect(asString.status).toBe(200);
      expect((await find({ lastRecordId: Number(waiting) })).body).toEqual(asString.body);
    }
  });

  it('userId of the order search filters nothing', async () => {
    expect((await search({ userId: 'nobody' })).body).toEqual((await search({})).body);
  });

  it('lastPageId of the queue search changes nothing', async () => {
    expect((await onQueue({ ...queue, pageSize: 1, lastPageId: 2 })).body).toEqual(
      (await onQueue({ ...queue, pageSize: 1 })).body,
    );
  });
});
