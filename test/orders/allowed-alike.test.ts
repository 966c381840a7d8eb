import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Flow, openFlow, STORE } from './flow.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await openFlow();
});
afterAll(() => flow.close());

type Allowed = { action: string; allowed: boolean }[];

const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const readOf = async (id: string) =>
  ((await flow.client.get(`${STORE}/fulfillmentOrders/${id}`)).body as { allowedActions: Allowed }).allowedActions;
const names = (actions: Allowed) => actions.flatMap(({ action, allowed }) => (allowed ? [action] : []));
const packDetails = (id: string) =>
  flow.client.post(`/stores/TOWN_US/fulfillmentOrders/${id}/packages?nodeId=TOWN-Store001`, {
    ...WHERE,
    fulfillmentOrderId: id,
  });

describe('allowed actions of an order', () => {
  it('are the same in the pack details and in the order, also with declined units', async () => {
    const id = await flow.picked('SHIP_TO_HOME', [3, 2], [2, 2]);
    const { packDetail } = (await packDetails(id)).body as { packDetail: [{ allowedActions: Allowed }] };
    expect(packDetail[0].allowedActions).toEqual(await readOf(id));
    expect(names(packDetail[0].allowedActions)).toContain('resource');
  });

  it('are the same in an error and in the order, also for a type that is never packed', async () => {
    const ready = await flow.picked('STORE_PICK_UP', [3, 2], [3, 2]);
    const refused = await flow.pack(ready, { '1': 1 });
    expect([refused.status, refused.body]).toMatchObject([409, { allowedActions: names(await readOf(ready)) }]);
    expect(names(await readOf(ready))).toEqual(['handOver', 'cancel']);
  });

  it('include the pack slip of a shipped order while a canceled unit of it waits to be brought back', async () => {
    const id = await flow.picked('SHIP_TO_HOME', [3, 2], [3, 2]);
    await flow.cancel(id, { lines: [{ webLineId: '1', quantity: 1 }] });
    await flow.pack(id, { '1': 2, '2': 2 });
    expect(await flow.stands(id)).toEqual([3700, null]);
    expect(names(await readOf(id))).toContain('packSlip');
    const slip = { ...WHERE, modifyAssociateId: 'bo', fulfillmentOrderId: id };
    const answer = await flow.client.post(`/stores/TOWN_US/fulfillmentOrders/${id}/packslip/generate`, slip);
    expect(answer.status).toBe(200);
  });
});
